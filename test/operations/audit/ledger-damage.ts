import { HOUR } from '../../../lib/clock';
import { NOBODY, debit, type Damage } from './damage';

export const LEDGER_DAMAGE: Damage[] = [
  {
    what: 'a balance that was raised',
    sql: () => `UPDATE balances SET balance = balance + 7 WHERE workspace_id = 1`,
    finds: (on) => [
      ['balance', on.premium, /^\d+$/, /^\d+$/],
      ['balance-by-messages', on.premium, /^\d+ \(\d+ given or taken, -\d+ for messages\)$/, /^\d+$/],
    ],
  },
  {
    what: 'an account that is no longer marked as premium',
    sql: () => `UPDATE balances SET purchased = 0 WHERE workspace_id = 1`,
    finds: (on) => [['purchase', on.premium, /has bought coins/, /has bought none/]],
  },
  {
    what: 'a refund that is gone from the ledger',
    sql: (on) => `DELETE FROM ledger WHERE id = 'refund:${on.ids.rejected}:1'`,
    finds: (on) => [
      ['message-coins', on.ids.rejected, /^refund:.*:1 \+1 at /, /^none, and none on its way$/],
      ['balance', on.premium],
    ],
  },
  {
    what: 'a late debit that is gone from the ledger and the balance',
    sql: (on) => `DELETE FROM ledger WHERE id = 'debit:${on.ids.late}:late';
      UPDATE balances SET balance = balance + 1 WHERE workspace_id = 1`,
    finds: (on) => [
      ['message-coins', on.ids.late, /^debit:.*:late -1/, /^none/],
      ['balance-by-messages', on.premium],
    ],
  },
  {
    what: 'a coin taken twice for one hand-off',
    sql: (on) => `INSERT INTO ledger (workspace_id, id, kind, amount, message_id, at)
      SELECT workspace_id, '${debit(on.ids.delivered, 2)}', kind, amount, message_id, at FROM ledger
      WHERE id = '${debit(on.ids.delivered)}';
      UPDATE balances SET balance = balance - 1 WHERE workspace_id = 1`,
    finds: (on) => [
      ['message-coins', on.ids.delivered, /^no row debit:.*:2$/, /^debit:.*:2 -1 at /],
      ['balance-by-messages', on.premium],
    ],
  },
  {
    what: 'a debit of two coins',
    sql: (on) => `UPDATE ledger SET amount = -2 WHERE id = '${debit(on.ids.delivered)}'`,
    finds: (on) => [
      ['message-coins', on.ids.delivered, / -1 at /, / -2 at /],
      ['ledger-row', debit(on.ids.delivered), /^debit -1$/, /^debit -2 of message /],
      ['balance', on.premium],
    ],
  },
  {
    what: 'a debit at another time than its claim',
    sql: (on) => `UPDATE ledger SET at = at + 1 WHERE id = '${debit(on.ids.bounced)}'`,
    finds: (on) => [['message-coins', on.ids.bounced, / -1 at /, / -1 at /]],
  },
  {
    what: 'a row under the id of another fact',
    sql: (on) => `UPDATE ledger SET id = '${debit(NOBODY)}' WHERE id = '${debit(on.ids.bounced)}'`,
    finds: (on) => [
      ['message-coins', on.ids.bounced, /^debit/, /^none/],
      ['ledger-row', debit(NOBODY), /^the id of a debit of message /],
    ],
  },
  {
    what: 'coins given for a message that does not exist',
    sql: () => `INSERT INTO ledger (workspace_id, id, kind, amount, message_id, at)
      VALUES (1, 'refund:${NOBODY}:1', 'refund', 1, '${NOBODY}', 0);
      UPDATE balances SET balance = balance + 1 WHERE workspace_id = 1`,
    finds: (on) => [
      ['ledger-message', `refund:${NOBODY}:1`, /^message .* in workspace 1$/, /^no such message$/],
      ['balance-by-messages', on.premium],
    ],
  },
  {
    what: 'a row in the ledger of another workspace',
    sql: (on) => `UPDATE ledger SET workspace_id = ${on.ids.free} WHERE id = 'penalty:${on.ids.complained}'`,
    finds: (on) => [
      ['message-coins', on.ids.complained, /^penalty:.* -4/, /^none/],
      ['balance', on.premium],
      ['ledger-message', `penalty:${on.ids.complained}`, /workspace 2$/, /workspace 1$/],
      ['balance', on.free],
    ],
  },
  {
    what: 'a row of a kind that every object has as a property',
    sql: (on) => `UPDATE ledger SET kind = 'constructor' WHERE id = '${debit(on.ids.bounced)}'`,
    finds: (on) => [
      ['ledger-row', debit(on.ids.bounced), /^constructor of no message$/, /^constructor -1 of message /],
    ],
  },
  {
    what: 'a top-up that takes',
    sql: () => `UPDATE ledger SET amount = -amount WHERE kind = 'topup'`,
    finds: (on) => [
      ['ledger-row', 'topup:demo', /above zero/, /-100000/],
      ['balance', on.premium],
      ['balance-by-messages', on.premium],
    ],
  },
];

export const PENALTY_DAMAGE: Damage[] = [
  {
    what: 'a second penalty for an address and reason within 24 hours',
    sql: () => `CREATE TEMP TABLE last AS SELECT * FROM ledger WHERE id LIKE 'penalty:%:malformed:%'
        ORDER BY at DESC LIMIT 1;
      UPDATE gates SET at = at + ${HOUR} WHERE key LIKE '%:malformed';
      INSERT INTO ledger (workspace_id, id, kind, amount, message_id, at)
        SELECT workspace_id, replace(id, ':' || at, ':' || (at + ${HOUR})), kind, amount, message_id, at + ${HOUR} FROM last;
      UPDATE balances SET balance = balance - 4 WHERE workspace_id = 1`,
    finds: (on) => [['penalty-window', on.gateSubject('malformed'), /^none before 20/, /^one at 20/]],
  },
  {
    what: 'a gate that was moved',
    sql: () => `UPDATE gates SET at = at + 1 WHERE key LIKE '%:suppressed'`,
    finds: (on) => [['penalty-gate', on.gateSubject('suppressed'), /^20/, /^20/]],
  },
  {
    what: 'a gate that is gone',
    sql: () => `DELETE FROM gates WHERE key LIKE '%:malformed'`,
    finds: (on) => [['penalty-gate', on.gateSubject('malformed'), /^20/, /^none$/]],
  },
  {
    what: 'a gate without a penalty',
    sql: () => `INSERT INTO gates VALUES (2, 'hash:malformed', 5)`,
    finds: () => [['penalty-gate', 'workspace 2 hash:malformed', /^none$/, /^1970/]],
  },
  {
    what: 'a penalty of an address that is no penalty',
    sql: () =>
      `UPDATE ledger SET amount = -1 WHERE id = (SELECT min(id) FROM ledger WHERE id LIKE 'penalty:%:malformed:%')`,
    finds: (on) => [
      ['ledger-row', on.firstPenalty(), /^penalty -4$/, /^penalty -1 /],
      ['balance', on.premium],
      ['balance-by-messages', on.premium],
    ],
  },
];
