import { describe, expect, it } from '@jest/globals';
import { decodeRecord } from '../../streams/decode-record';
import { newestVersion, TOPIC_NAMES, TOPICS } from '../../streams/topics';
import { coinRecord, eventRecord, saleRecord } from '../contract/event-log/support';
import { aHit, aSignal, messageId, storedRecord } from '../support/builders';
import { TEST_START } from '../support/clock';

const id = messageId();
const feedback = { kind: 'bounced', trusted: true, text: '', class: 'policy', hard: false, at: TEST_START };

/** A record of each topic, as the program writes it today. */
const WRITTEN = {
  'messages.accepted': { workspaceId: 7, messageId: id },
  'messages.dispatch': { messageId: id, attempt: 1 },
  'mta.feedback': { messageId: id, feedback },
  'message.events': { ...eventRecord(3).value, reason: '550 no', link: 0 },
  'coins.entries': coinRecord('7', 1).value,
  'engagement.hits': aHit(id, { kind: 'click', link: 3, client: '0a1f' }),
  conversions: { ...saleRecord(5).value, kind: 'linked', clickedAt: TEST_START, messageId: id },
  'campaigns.sends': { workspaceId: 7, campaignId: 1 },
  'journeys.enrollments': { enrollmentId: id, workspaceId: 7, journeyId: 1, contactId: 2 },
} as const;

describe('the table of records', () => {
  it.each(TOPIC_NAMES)('reads %s as it is written, with fields that a newer program added', (topic) => {
    const stored = { ...storedRecord(topic, { ...WRITTEN[topic], added: 1 }), version: newestVersion(topic) };
    expect(decodeRecord(stored)).toEqual({ record: stored, fault: null });
  });

  it.each(TOPIC_NAMES)('brings every version of %s but the newest up to the next', (topic) => {
    const { versions } = TOPICS[topic];
    expect(versions.map(({ upgrade }) => upgrade === undefined)).toEqual(
      versions.map((_, at) => at === versions.length - 1),
    );
  });

  it.each(TOPIC_NAMES)('refuses a record of %s that is damaged', (topic) => {
    for (const value of [{ unreadable: '{"a' }, null, 'text', [], {}]) {
      const { record, fault } = decodeRecord(storedRecord(topic, value));
      expect(record).toBeNull();
      expect(fault).toContain(`not a record of ${topic}, version 1: `);
    }
  });

  it.each([0, 4, -1, 1.5, NaN])('refuses version %s of the hits, which it does not know', (version) => {
    const stored = { ...storedRecord('engagement.hits', WRITTEN['engagement.hits']), version };
    const fault = `version ${version} of engagement.hits is unknown; this program reads 1 to 3`;
    expect(decodeRecord(stored)).toEqual({ record: null, fault });
  });
});

describe('a report of version 1', () => {
  it.each([
    ['a hard bounce', 'bounced', '550 5.1.1 User unknown', { class: 'address_unknown', hard: true }],
    ['another refusal', 'bounced', '552 5.2.2 Over quota', { class: 'mailbox_full', hard: false }],
    ['a queue that gave up', 'expired', '4.1.1 User unknown', { class: 'temporary_trouble', hard: false }],
    ['a delivery', 'delivered', '2.0.0 250 ok', { class: null, hard: false }],
  ])('of %s is read into a class', (_what, kind, text, expected) => {
    const feedback = { kind, trusted: true, text, at: 1 };
    const { record } = decodeRecord(storedRecord('mta.feedback', { messageId: id, feedback }));
    expect(record).toMatchObject({ version: 2, value: { messageId: id, feedback: { ...feedback, ...expected } } });
  });
});

describe('a hit of version 1', () => {
  const { link: _, machine: _machine, ...rest } = aSignal(id, { kind: 'click' });
  const facts = { method: 'GET', agent: null, network: null, client: null };
  it.each([
    ['its place', { ...rest, link: 2 }, { ...rest, link: 2 }],
    ['its place and its destination', { ...rest, link: 2, url: 'https://a.test/' }, { ...rest, link: 2 }],
    ['its destination', { ...rest, url: 'https://a.test/' }, { ...rest, link: null, url: 'https://a.test/' }],
    ['nothing, being an open', { ...rest, kind: 'open', url: null }, { ...rest, kind: 'open', link: null }],
  ])('that names %s is brought up to version 3, without facts of its request', (_what, value, expected) => {
    const { record } = decodeRecord(storedRecord('engagement.hits', value));
    expect({ version: record?.version, value: record?.value }).toEqual({
      version: 3,
      value: { ...expected, ...facts },
    });
  });
});

describe('a hit of version 2', () => {
  it('is brought up to version 3: an unsubscribe came by POST', () => {
    const { machine: _machine, ...value } = aSignal(id, { kind: 'unsubscribe' });
    const { record } = decodeRecord({ ...storedRecord('engagement.hits', value), version: 2 });
    expect(record?.value).toEqual({ ...value, method: 'POST', agent: null, network: null, client: null });
  });
});

describe('a sale of version 1', () => {
  const { kind: _, clickedAt: __, ...sale } = saleRecord(5).value;

  it('is brought up to version 2 as a report, without its order id', () => {
    const { record } = decodeRecord(storedRecord('conversions', { ...sale, orderId: 'A-1' }));
    expect(record?.value).toEqual({ ...sale, kind: 'reported', clickedAt: null });
    expect(record?.version).toBe(2);
  });
});
