import { clickPeriod, qualifies, type Click } from '../../../domain/conversions/attribution';
import type { Conversion } from '../../../domain/conversions/conversion';
import { clickOwner, type ClickOwner } from '../../shared/conversion-facts';
import type { Database, Value } from '../database/database';

/** Clicks read at once while looking for one that qualifies. */
const STEP = 20;

/** Clicks of an owner. `rest` is the end of the statement, with its values. */
function readClicks(db: Database, owner: ClickOwner, rest: string, ...values: Value[]): Click[] {
  const [where, of]: [string, Value[]] =
    owner.kind === 'message'
      ? [`message_id = ? AND kind = 'click' AND workspace_id = ?`, [owner.messageId, owner.workspaceId]]
      : ['contact_id = ?', [owner.contactId]];
  const sql = `SELECT id, message_id AS messageId, at, link, machine FROM signals WHERE ${where} AND ${rest} LIMIT ?`;
  return db.all<Click>(sql, ...of, ...values);
}

/** Clicks up to a time, newest first. */
export const clicksUpTo = (db: Database, owner: ClickOwner, to: number, limit: number): Click[] =>
  readClicks(db, owner, 'at <= ? ORDER BY at DESC, id DESC', to, limit);

/** Clicks after a time, oldest first. */
export const clicksAfter = (db: Database, owner: ClickOwner, after: number, limit: number): Click[] =>
  readClicks(db, owner, 'at > ? ORDER BY at, id', after, limit);

/** The last click that qualifies; null when there is none. It reads on only behind clicks that do not. */
export function lastClick(db: Database, sale: Conversion): Click | null {
  const owner = clickOwner(sale);
  if (!owner) return null;
  const { from, to } = clickPeriod(sale);
  for (let page = clicksUpTo(db, owner, to, STEP); ;) {
    const found = page.find((click) => qualifies(sale, click));
    if (found) return found;
    const last = page.at(-1);
    if (page.length < STEP || !last || last.at < from) return null;
    page = readClicks(db, owner, '(at, id) < (?, ?) ORDER BY at DESC, id DESC', last.at, last.id, STEP);
  }
}
