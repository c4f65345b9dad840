import { laterEnd, type LedgerEntry } from '../../../domain/ledger/coins';
import type { PostOutcome } from '../../ports/coin-ledger';
import type { AccountDocument, LedgerDocument } from '../database/documents';

export const ledgerKey = (workspaceId: number, id: string): string => `${workspaceId}:${id}`;
export const gateKey = (workspaceId: number, gate: string): string => `${workspaceId}:${gate}`;

/** What a workspace's entries are decided on. */
export interface Books {
  account: AccountDocument;
  /** Keys of rows already booked. */
  booked: ReadonlySet<string>;
  /** When the last entry of each gate was booked, by its key. */
  gates: ReadonlyMap<string, number>;
}

export interface Booking {
  /** In the order of the entries. */
  outcomes: PostOutcome[];
  rows: LedgerDocument[];
  /** Gates that were passed. */
  gates: Map<string, number>;
  account: AccountDocument;
  /** Whether an entry is a purchase. */
  purchased: boolean;
}

/** Books entries of one workspace, in order, each as if it were alone. Pure. */
export function book(books: Books, entries: readonly LedgerEntry[]): Booking {
  const booking: Booking = {
    outcomes: [],
    rows: [],
    gates: new Map(),
    account: { ...books.account },
    purchased: false,
  };
  const booked = new Set(books.booked);
  for (const entry of entries) {
    const outcome = judge(entry, booked, booking.gates, books.gates);
    booking.outcomes.push(outcome);
    if (outcome !== 'posted') continue;
    booked.add(ledgerKey(entry.workspaceId, entry.id));
    if (entry.gate) booking.gates.set(gateKey(entry.workspaceId, entry.gate.key), entry.at);
    enter(booking, entry);
  }
  return booking;
}

function judge(
  { workspaceId, id, gate, at }: LedgerEntry,
  booked: ReadonlySet<string>,
  ...gates: readonly ReadonlyMap<string, number>[]
): PostOutcome {
  if (booked.has(ledgerKey(workspaceId, id))) return 'exists';
  if (!gate) return 'posted';
  const key = gateKey(workspaceId, gate.key);
  const last = gates.find((passed) => passed.has(key))?.get(key);
  return last !== undefined && at < last + gate.windowMs ? 'gated' : 'posted';
}

function enter(booking: Booking, entry: LedgerEntry): void {
  const { rows, account } = booking;
  const { id, workspaceId, kind, amount, messageId, at } = entry;
  account.seq += 1;
  account.balance += amount;
  if (entry.purchase) {
    account.purchase = { expiresAt: laterEnd(account.purchase, entry.purchase.expiresAt) };
    booking.purchased = true;
  }
  rows.push({ _id: ledgerKey(workspaceId, id), workspaceId, seq: account.seq, kind, amount, messageId, at });
}
