import { COIN_PER_MAIL, ledgerId, PENALTY_COINS, type LedgerKind } from '../ledger/coins';
import { NO_DIFFERENCE, showCoins, type Difference } from './difference';
import type { BookedRow } from './message-record';

/** A ledger row with the workspace of its message; null when the message does not exist or the row has none. */
export type LedgerRecord = BookedRow & { messageWorkspaceId: number | null };

/**
 * The id, the message and the amount of a row fit its kind, and the message belongs to its workspace
 * (docs/architecture.md#coins).
 */
export function checkLedgerRow(row: LedgerRecord): readonly Difference[] {
  const found: Difference[] = [];
  const expected = expectedRow(row);
  if (expected) found.push({ rule: 'ledger-row', subject: row.id, expected, found: showRow(row) });
  if (row.messageId !== null && row.messageWorkspaceId !== row.workspaceId) {
    const holder =
      row.messageWorkspaceId === null ? 'no such message' : `it belongs to workspace ${row.messageWorkspaceId}`;
    found.push({
      rule: 'ledger-message',
      subject: row.id,
      expected: `message ${row.messageId} in workspace ${row.workspaceId}`,
      found: holder,
    });
  }
  return found.length > 0 ? found : NO_DIFFERENCE;
}

const showRow = ({ kind, amount, messageId }: BookedRow): string =>
  `${kind} ${showCoins(amount)} of ${messageId ? `message ${messageId}` : 'no message'}`;

/** Null when the row is correct. */
function expectedRow(row: BookedRow): string | null {
  if (row.messageId === null) return rowOfNoMessage(row);
  const { messageId: id } = row;
  const attempt = /:([1-9]\d*|late)$/.exec(row.id)?.[1];
  const natural: Partial<Record<LedgerKind, [ids: string[], amount: number]>> = {
    debit: [[ledgerId.debit(id, Number(attempt)), ledgerId.lateDebit(id)], -COIN_PER_MAIL],
    refund: [[ledgerId.refund(id, Number(attempt))], COIN_PER_MAIL],
    penalty: [[ledgerId.messagePenalty(id)], -PENALTY_COINS],
  };
  // Damaged data may hold any text, including the name of a built-in object property.
  const rule = Object.hasOwn(natural, row.kind) ? natural[row.kind] : undefined;
  if (!rule) return `${row.kind} of no message`;
  if (!rule[0].includes(row.id)) return `the id of a ${row.kind} of message ${id}`;
  return row.amount === rule[1] ? null : `${row.kind} ${showCoins(rule[1])}`;
}

function rowOfNoMessage({ id, kind, amount, at }: BookedRow): string | null {
  const prefix = /^(debit|refund|penalty):/.exec(id)?.[1];
  switch (kind) {
    case 'topup':
      return amount > 0 && !prefix ? null : 'topup above zero with its own id';
    case 'grant':
      return amount !== 0 && !prefix ? null : 'grant other than zero with its own id';
    case 'penalty':
      if (amount !== -PENALTY_COINS) return `penalty -${PENALTY_COINS}`;
      return prefix === 'penalty' && id.endsWith(`:${at}`) ? null : `a penalty whose id ends with its time, ${at}`;
    default:
      return `${kind} of a message`;
  }
}
