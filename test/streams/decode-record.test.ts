import { describe, expect, it } from '@jest/globals';
import { decodeRecord } from '../../streams/decode-record';
import { newestVersion, TOPIC_NAMES, TOPICS } from '../../streams/topics';
import { coinRecord, eventRecord, saleRecord } from '../contract/event-log/support';
import { aSignal, messageId, storedRecord } from '../support/builders';
import { TEST_START } from '../support/clock';

const id = messageId();
const feedback = { kind: 'bounced', trusted: true, text: '', at: TEST_START };

/** A record of each topic, as the program writes it today. */
const WRITTEN = {
  'messages.accepted': { workspaceId: 7, messageId: id },
  'messages.dispatch': { messageId: id, attempt: 1 },
  'mta.feedback': { messageId: id, feedback },
  'message.events': { ...eventRecord(3).value, reason: '550 no', link: 0 },
  'coins.entries': coinRecord('7', 1).value,
  'engagement.hits': aSignal(id, { kind: 'click', link: 3 }),
  conversions: { ...saleRecord(5).value, orderId: '', messageId: id },
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

  it.each([0, 3, -1, 1.5, NaN])('refuses version %s of the hits, which it does not know', (version) => {
    const stored = { ...storedRecord('engagement.hits', WRITTEN['engagement.hits']), version };
    const fault = `version ${version} of engagement.hits is unknown; this program reads 1 to 2`;
    expect(decodeRecord(stored)).toEqual({ record: null, fault });
  });
});

describe('a hit of version 1', () => {
  const { link: _, ...rest } = aSignal(id, { kind: 'click' });
  it.each([
    ['its place', { ...rest, link: 2 }, { ...rest, link: 2 }],
    ['its place and its destination', { ...rest, link: 2, url: 'https://a.test/' }, { ...rest, link: 2 }],
    ['its destination', { ...rest, url: 'https://a.test/' }, { ...rest, link: null, url: 'https://a.test/' }],
    ['nothing, being an open', { ...rest, kind: 'open', url: null }, { ...rest, kind: 'open', link: null }],
  ])('that names %s is brought up to version 2', (_what, value, expected) => {
    const { record } = decodeRecord(storedRecord('engagement.hits', value));
    expect({ version: record?.version, value: record?.value }).toEqual({ version: 2, value: expected });
  });
});
