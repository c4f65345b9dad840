import { PENALTY_WINDOW } from '../ledger/coins';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';

/** The penalties of one (workspace, address, reason) for forced sends. */
export interface PenaltyRecord {
  workspaceId: number;
  /** Hash of the address, and the reason. */
  key: string;
  /** When the gate was last passed, or null. */
  gateAt: number | null;
  /** Times of the booked penalties, ascending, ms. */
  booked: readonly number[];
}

/** One penalty in 24 h (I5), and a gate that holds the time of the last one. */
export function checkPenalties({ workspaceId, key, gateAt, booked }: PenaltyRecord): readonly Difference[] {
  const subject = `workspace ${workspaceId} ${key}`;
  const found: Difference[] = [];
  for (let n = 1; n < booked.length; n += 1) {
    const [before, at] = [booked[n - 1]!, booked[n]!];
    if (at - before >= PENALTY_WINDOW) continue;
    const expected = `none before ${showTime(before + PENALTY_WINDOW)}`;
    found.push({ rule: 'penalty-window', subject, expected, found: `one at ${showTime(at)}` });
  }
  const last = booked.at(-1) ?? null;
  found.push(...unless(gateAt === last, 'penalty-gate', subject, showTime(last), showTime(gateAt)));
  return found.length > 0 ? found : NO_DIFFERENCE;
}
