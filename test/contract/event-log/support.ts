import type { LedgerEntry } from '../../../domain/coins';
import type { OutgoingRecord, StoredRecord } from '../../../streams/records';
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
