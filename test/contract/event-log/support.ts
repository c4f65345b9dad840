import type { LedgerEntry } from '../../../domain/ledger/coins';
import type { OutgoingRecord, StoredRecord } from '../../../streams/records';
import { messageId } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { isOf } from '../log-reading';

export type CoinRecord = Extract<OutgoingRecord, { topic: 'coins.entries' }>;

/** Record `n` of a key on the coins topic; its amount is `n`. */
export function coinRecord(key: string, n: number): CoinRecord {
  const value: LedgerEntry = {
    id: `${key}:${n}`,
    workspaceId: 1,
    kind: 'grant',
    amount: n,
    messageId: null,
    at: TEST_START,
  };
  return { topic: 'coins.entries', key, value };
}

/** `count` records over `keys` keys in turn; within a key the amounts ascend. */
export const coinRecords = (count: number, keys = 10, from = 0): CoinRecord[] =>
  Array.from({ length: count }, (_, index) => coinRecord(`w${(from + index) % keys}`, from + index));

/** The distinct ids of coin records, in order of reading. */
export const idsRead = (records: readonly StoredRecord[]): string[] => [
  ...new Set(records.filter(isOf('coins.entries')).map(({ value }) => value.id)),
];

export const idsOf = (records: readonly CoinRecord[]): string[] => records.map(({ value }) => value.id);

/** The same ids, whatever their order. */
export const sorted = (ids: readonly string[]): string[] => [...ids].sort();

type EventOf = Extract<OutgoingRecord, { topic: 'message.events' }>;
type SaleOf = Extract<OutgoingRecord, { topic: 'conversions' }>;

/** Record `n` of `message.events`; it happened at `n`. */
export function eventRecord(n: number, key = `m${n % 5}`): EventOf {
  const value = { workspaceId: 1, messageId: messageId(), event: 'open', occurredAt: n } as const;
  return { topic: 'message.events', key, value };
}

/** Record `n` of `conversions`; its amount is `n`. */
export function saleRecord(n: number, key = `w${n % 5}`): SaleOf {
  const facts = { kind: 'reported', id: messageId(), workspaceId: 1, messageId: null, contactId: null } as const;
  return { topic: 'conversions', key, value: { ...facts, amount: n, occurredAt: n, receivedAt: n, clickedAt: null } };
}

/** What was read, as `topic n`, each once, in order of reading. */
export const placesRead = (records: readonly StoredRecord[]): string[] => [
  ...new Set([
    ...records.filter(isOf('message.events')).map(({ topic, value }) => `${topic} ${value.occurredAt}`),
    ...records.filter(isOf('conversions')).map(({ topic, value }) => `${topic} ${value.amount}`),
  ]),
];
