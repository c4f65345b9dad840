import { describe, expect, it } from '@jest/globals';
import Joi from 'joi';
import { decodeRecord } from '../../streams/decode-record';
import { RECORD_VERSIONS, type RecordVersion } from '../../streams/record-versions';
import { newestVersion, TOPIC_NAMES } from '../../streams/topics';
import { coinRecord, eventRecord, saleRecord } from '../contract/event-log/support';
import { aHit, messageId, storedRecord } from '../support/builders';
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
  'journeys.enrollments': { enrollmentId: id, workspaceId: 7, journeyId: 1, contactId: 2 },
} as const;

describe('the table of records', () => {
  it.each(TOPIC_NAMES)('reads %s as it is written, with fields that a newer program added', (topic) => {
    const stored = { ...storedRecord(topic, { ...WRITTEN[topic], added: 1 }), version: newestVersion(topic) };
    expect(decodeRecord(stored)).toEqual({ record: stored, fault: null });
  });

  it.each(TOPIC_NAMES)('brings every version of %s but the newest up to the next', (topic) => {
    const versions: readonly RecordVersion[] = RECORD_VERSIONS[topic];
    expect(versions).toHaveLength(newestVersion(topic));
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

  it.each([0, 2, -1, 1.5, NaN])('refuses version %s of the hits, which it does not know', (version) => {
    const stored = { ...storedRecord('engagement.hits', WRITTEN['engagement.hits']), version };
    const fault = `version ${version} of engagement.hits is unknown; this program reads 1 to 1`;
    expect(decodeRecord(stored)).toEqual({ record: null, fault });
  });
});

/** A release later: amounts are in tenths of a coin, and then they say so. */
describe('a record of an older version', () => {
  const of = (...names: string[]) => Joi.object(Object.fromEntries(names.map((name) => [name, Joi.required()])));
  const versions = [
    { schema: of('amount'), upgrade: (value: unknown) => ({ amount: (value as { amount: number }).amount * 10 }) },
    { schema: of('amount'), upgrade: (value: unknown) => ({ ...(value as object), unit: 'tenths' }) },
    { schema: of('amount', 'unit') },
  ];

  it.each([
    [1, { amount: 2 }, { amount: 20, unit: 'tenths' }],
    [2, { amount: 20 }, { amount: 20, unit: 'tenths' }],
    [3, { amount: 20, unit: 'tenths' }, { amount: 20, unit: 'tenths' }],
  ])('%s is brought up to the newest, step by step', (version, value, upgraded) => {
    const { record } = decodeRecord({ ...storedRecord('coins.entries', value), version }, versions);
    expect(record).toMatchObject({ version: 3, value: upgraded });
  });

  it('is held to the schema of its own version', () => {
    const stored = { ...storedRecord('coins.entries', { amount: 2, unit: 'tenths' }), version: 2 };
    expect(decodeRecord(stored, versions).fault).toContain('not a record of coins.entries, version 2: ');
    const { fault } = decodeRecord({ ...stored, version: 4 }, versions);
    expect(fault).toBe('version 4 of coins.entries is unknown; this program reads 1 to 3');
  });
});
