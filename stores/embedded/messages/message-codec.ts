import type { Message, MessageState, StatusChange } from '../../../domain/messages/message';
import type { MessagePlace, Transaction } from '../database/commits';
import type { Database, Value } from '../database/database';
import { MESSAGE, STATE } from './message-fields';

const SELECT_MESSAGE = `SELECT ${MESSAGE.select('m')} FROM messages m WHERE m.id = ?`;

/** Reads one message, inside or outside a transaction. */
export function readMessage(db: Database, id: string): Message | null {
  const values = db.values(SELECT_MESSAGE, id);
  return values ? MESSAGE.decodeFrom(values, 0) : null;
}

const { names: STATE_NAMES, columns: STATE_COLUMNS } = STATE;
/** The bit after those of the STATE columns. */
const HISTORY = 1 << STATE_NAMES.length;
/** Statements by the bits of the columns they write; three of them run for every mail. */
const updates = new Map<number, string>();

/**
 * Writes the given state columns and increases the version. Names only these columns, so that no other index is
 * updated. A changed status is added to the history and counted.
 */
export function updateState(
  tx: Transaction,
  row: MessagePlace & Pick<Message, 'status'>,
  set: Partial<Omit<MessageState, 'version'>>,
  at: number,
): void {
  let written = 0;
  const values: Value[] = [];
  for (let i = 0; i < STATE_NAMES.length; i++) {
    const value = set[STATE_NAMES[i]!];
    if (value === undefined) continue;
    written |= 1 << i;
    values.push(STATE.bindField(i, value));
  }
  if (set.status !== undefined && set.status !== row.status) {
    written |= HISTORY;
    values.push(historyEntry({ status: set.status, at }));
    tx.moved(row, row.status, set.status);
  }
  tx.db.run(updateOf(written), ...values, row.seq);
}

/** The statement that writes the columns of these bits. */
function updateOf(written: number): string {
  let sql = updates.get(written);
  if (sql === undefined) {
    const columns = STATE_COLUMNS.filter((_, i) => written & (1 << i)).map((column) => `, ${column} = ?`);
    const history = written & HISTORY ? ', history = history || ?' : '';
    sql = `UPDATE messages SET version = version + 1${columns.join('')}${history} WHERE seq = ?`;
    updates.set(written, sql);
  }
  return sql;
}

/** The history is one string, `status@ms` after `status@ms`, appended in a row that is written anyway. */
export const historyEntry = ({ status, at }: StatusChange): string => `${status}@${at} `;

/** Parses the status history. */
export function readHistory(text: string): StatusChange[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((entry) => {
      const [status, at] = entry.split('@');
      return { status: status as StatusChange['status'], at: Number(at) };
    });
}
