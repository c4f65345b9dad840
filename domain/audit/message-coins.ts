import type { LedgerEntry } from '../ledger/coins';
import { NO_DIFFERENCE, showCoins, showTime, type Difference } from './difference';
import type { BookedRow, MessageRecord } from './message-record';
import { owedCoins, type OwedRow } from './owed-coins';

/** How the ledger rows of a message compare with the rows its facts require. */
export interface CoinComparison {
  /** Coins of all required rows. */
  owed: number;
  /** Required rows that are not booked; they may be on their way to the coins group. */
  missing: readonly OwedRow[];
  differences: readonly Difference[];
}

/** Compares the booked rows of a message with the required ones (I4). */
export function compareCoins(record: MessageRecord): CoinComparison {
  const wanted = owedCoins(record);
  const missing: OwedRow[] = [];
  const differences: Difference[] = [];
  let owed = 0;
  for (const row of wanted) {
    owed += row.amount;
    const booked = record.coins.find(({ id }) => id === row.id);
    if (!booked) missing.push(row);
    else if (booked.amount !== row.amount || !row.at.includes(booked.at)) {
      differences.push(difference(record.message.id, showOwed(row), showBooked(booked)));
    }
  }
  for (const booked of record.coins) {
    if (wanted.some(({ id }) => id === booked.id)) continue;
    differences.push(difference(record.message.id, `no row ${booked.id}`, showBooked(booked)));
  }
  return { owed, missing, differences };
}

/**
 * Reports missing rows that no entry on its way to the ledger (by id) will book. Also returns the coins of the other
 * missing rows: they are not in the balance yet.
 */
export function findUnbooked(
  messageId: string,
  missing: readonly OwedRow[],
  pending: ReadonlyMap<string, Pick<LedgerEntry, 'amount'>>,
): { onTheirWay: number; differences: readonly Difference[] } {
  let onTheirWay = 0;
  const differences: Difference[] = [];
  for (const row of missing) {
    if (pending.get(row.id)?.amount === row.amount) onTheirWay += row.amount;
    else differences.push(difference(messageId, showOwed(row), 'none, and none on its way'));
  }
  return { onTheirWay, differences: differences.length > 0 ? differences : NO_DIFFERENCE };
}

const difference = (subject: string, expected: string, found: string): Difference => ({
  rule: 'message-coins',
  subject,
  expected,
  found,
});

const showOwed = ({ id, amount, at }: OwedRow): string =>
  `${id} ${showCoins(amount)} at ${at.map(showTime).join(' or ')}`;
const showBooked = ({ id, amount, at }: BookedRow): string => `${id} ${showCoins(amount)} at ${showTime(at)}`;
