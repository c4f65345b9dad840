import { DAY } from '../../../lib/clock';
import { debit, hourCount, listCount, seqOf, set, type Damage, type Finding, type Scene } from './damage';

export const MESSAGE_DAMAGE: Damage[] = [
  {
    what: 'another status than the history ends with',
    sql: (on) => set(on.ids.bounced, `status = 'delivered'`),
    finds: (on) => [
      ['status', on.ids.bounced, /^bounced$/, /^delivered$/],
      ['reason', on.ids.bounced, /^delivered: none$/],
      listCount(on.premium, 'bounced messages'),
      listCount(on.premium, 'delivered messages'),
      hourCount(on.premium, 'bounced'),
      hourCount(on.premium, 'delivered'),
    ],
  },
  {
    what: 'a history that makes a move twice',
    sql: (on) => set(on.ids.delivered, `history = history || 'delivered@1 '`),
    finds: (on) => [['history', on.ids.delivered, /^delivered -> bounced$/, /^delivered -> delivered$/]],
  },
  {
    what: 'a history that cannot be read',
    sql: (on) => set(on.ids.queued, `history = 'rubbish'`),
    finds: (on) => [
      ['status', on.ids.queued, /^rubbish$/, /^queued$/],
      ['history', on.ids.queued, /^queued at 20/, /^rubbish at /],
    ],
  },
  {
    what: 'a failure without a reason',
    sql: (on) => set(on.ids.rejected, `failed_reason = NULL`),
    finds: (on) => [['reason', on.ids.rejected, /^failed: a reason$/, /^failed: none$/]],
  },
  {
    what: 'a message that is no longer open to late evidence',
    sql: (on) => set(on.ids.noRecord, `reopenable = NULL`),
    finds: (on) => [
      ['attempts', on.ids.noRecord, /refused_permanently/, /attempt 1 sent/],
      ['reason', on.ids.noRecord, /open to late evidence/],
      ['received', on.ids.noRecord, /^failed: never$/, /^once$/],
    ],
  },
  {
    what: 'a delivered message that was never dispatched',
    sql: (on) => set(on.ids.delivered, `dispatched_at = NULL`),
    finds: (on) => [['dispatched', on.ids.delivered, /^20/, /^none$/]],
  },
  {
    what: 'a refused message that was dispatched',
    sql: (on) => set(on.ids.rejected, `dispatched_at = 5`),
    finds: (on) => [['dispatched', on.ids.rejected, /^none$/, /^1970/]],
  },
  {
    what: 'a queued message without a turn',
    sql: (on) => set(on.ids.queued, `due_at = NULL`),
    finds: (on) => [['deadline', on.ids.queued, /^queued until 20/, /^queued until none$/]],
  },
  {
    what: 'a queued message that nobody serves',
    sql: (on) => set(on.ids.queued, `lane = 'express'`),
    finds: (on) => [['value', on.ids.queued, /^lane transactional or /, /^lane express$/]],
  },
  {
    what: 'a status that there is not',
    sql: (on) => set(on.ids.delivered, `status = 'zzz'`),
    finds: (on) => [
      ['value', on.ids.delivered, /^status queued or /, /^status zzz$/],
      ['status', on.ids.delivered, /^delivered$/, /^zzz$/],
      listCount(on.premium, 'delivered messages'),
      hourCount(on.premium, 'delivered'),
    ],
  },
  {
    what: 'a status that every object has as a property',
    sql: (on) => set(on.ids.queued, `status = 'constructor'`),
    finds: (on) => [
      ['value', on.ids.queued, /^status queued or /, /^status constructor$/],
      ['status', on.ids.queued, /^queued$/, /^constructor$/],
      listCount(on.free, 'queued messages'),
      hourCount(on.free, 'queued'),
    ],
  },
  {
    what: 'a channel that there is not',
    sql: (on) => set(on.ids.delivered, `channel = 'fax'`),
    finds: (on) => [['value', on.ids.delivered, /^channel api or smtp or app$/, /^channel fax$/]],
  },
  {
    what: 'a contact with a status that there is not',
    sql: (on) =>
      `UPDATE contacts SET status = 'zzz' WHERE id = (SELECT contact_id FROM messages WHERE id = '${on.ids.withKey}')`,
    finds: (on) => [['value', on.ids.withKey, /^contact .*\bsubscribed or /, /^contact zzz$/]],
  },
  {
    what: 'a wait for evidence that nobody can have chosen',
    sql: (on) => set(on.ids.sent, `due_at = dispatched_at + ${366 * DAY}`),
    finds: (on) => [['deadline', on.ids.sent, /^sent_to_mta until whole seconds after 20/, /^sent_to_mta until 20/]],
  },
  {
    what: 'a message at the sending server without a deadline',
    sql: (on) => set(on.ids.sent, `due_at = NULL`),
    finds: (on) => [['deadline', on.ids.sent, /whole seconds after/, /none$/]],
  },
  {
    what: 'a final message with a deadline',
    sql: (on) => set(on.ids.delivered, `due_at = 5`),
    finds: (on) => [['deadline', on.ids.delivered, /^delivered until none$/, /1970/]],
  },
  {
    what: 'a deadline that passed while the service ran',
    sql: (on) => set(on.ids.sent, `due_at = 1`),
    finds: (on) => [
      ['deadline', on.ids.sent, /^sent_to_mta until whole seconds after 20/, /1970/],
      ['overdue', on.ids.sent, /^no longer sent_to_mta after 1970/, /^sent_to_mta at 20/],
    ],
  },
  {
    what: 'a count of attempts that is wrong',
    sql: (on) => set(on.ids.retried, `attempt = 1`),
    finds: (on) => [['attempts', on.ids.retried, /^attempt 2 with 2 kept$/, /^attempt 1 with 2 kept$/]],
  },
  {
    what: 'a delivery without the fence',
    sql: (on) => set(on.ids.withKey, `fence = NULL, fenced_at = NULL`),
    finds: (on) => [['fence', on.ids.withKey, /^delivered behind the fence$/, /^token none, passed at none$/]],
  },
  {
    what: 'a complaint that was forgotten',
    sql: (on) => set(on.ids.complained, `complained_at = NULL`),
    finds: (on) => [
      ['message-coins', on.ids.complained, /^no row penalty:/, /^penalty:.* -4/],
      ['balance-by-messages', on.premium],
    ],
  },
  {
    what: 'a message that is gone',
    sql: (on) => `DELETE FROM messages WHERE id = '${on.ids.withKey}'`,
    finds: (on) => [
      ['ledger-message', debit(on.ids.withKey), /^message /, /^no such message$/],
      ['balance-by-messages', on.premium],
      ['claim-message', on.premium, /^\d+ claims$/, /^\d+ claims$/],
      ['idempotency', 'workspace 1 key pesanan-0001', /^a message of workspace 1$/, /^none$/],
      ['content-message', `body ${on.seq(on.ids.withKey)}`, /^a message$/, /^none$/],
      ['received-message', on.ids.withKey, /^a message$/, /^an email without it$/],
      listCount(on.premium, 'delivered messages'),
      hourCount(on.premium, 'delivered'),
    ],
  },
  {
    what: 'a message in another workspace',
    sql: (on) => set(on.ids.queued, `workspace_id = 77`),
    finds: (on) => [
      ['workspace', 'workspace 77', /^a workspace$/, /^none/],
      ['owner', on.ids.queued, /^domain and contact of workspace 77,/, /^domain of 2, contact of 2,/],
      listCount(on.free, 'queued messages'),
      listCount('workspace 77', 'queued messages'),
      hourCount(on.free, 'queued'),
      hourCount('workspace 77', 'queued'),
    ],
  },
  {
    what: 'a recipient who is still named after the contact was deleted',
    sql: (on) => `DELETE FROM contacts WHERE id = (SELECT contact_id FROM messages WHERE id = '${on.ids.withKey}')`,
    finds: (on) => [
      ['owner', on.ids.withKey, /a recipient or no contact$/, /, no contact, a recipient$/],
      listCount(on.premium, 'contacts'),
    ],
  },
  {
    what: 'a body that is gone',
    sql: (on) => `DELETE FROM bodies WHERE seq = ${seqOf(on.ids.rejected)}`,
    finds: (on) => [['body', on.ids.rejected, /^a body$/, /^none$/]],
  },
  {
    what: 'a body that is empty',
    sql: (on) => `UPDATE bodies SET html = '' WHERE seq = ${seqOf(on.ids.queued)}`,
    finds: (on) => [['body', on.ids.queued, /^a body$/, /^none$/]],
  },
  ...['{"a":', '[1]', ''].map((text) => ({
    what: `metadata that reads ${text || 'nothing'}`,
    sql: (on: Scene) => set(on.ids.queued, `metadata = '${text}'`),
    finds: (on: Scene): Finding[] => [
      ['value', on.ids.queued, /^metadata that can be read$/, /^metadata that cannot$/],
    ],
  })),
  {
    what: 'an attachment of no message',
    sql: () => `INSERT INTO attachments VALUES (999999, 0, 'nota.txt', 'text/plain', 'x')`,
    finds: () => [['content-message', 'attachment 999999', /^a message$/, /^none$/]],
  },
  {
    what: 'an attachment kept after hand-off',
    sql: (on) =>
      `INSERT INTO attachments SELECT ${seqOf(on.ids.delivered)}, n, filename, content_type, content FROM attachments`,
    finds: (on) => [['attachments', on.ids.delivered, /^delivered, none held$/, /^1 held until none$/]],
  },
  {
    what: 'an attachment that is gone before it',
    sql: () => `DELETE FROM attachments`,
    finds: (on) => [['attachments', on.ids.queuedWithFile, /^queued, none or held until 20/, /^0 held until 20/]],
  },
  {
    what: 'attachments held for too long',
    sql: (on) => set(on.ids.queuedWithFile, `attachments_until = attachments_until + 1`),
    finds: (on) => [['attachments', on.ids.queuedWithFile, /^queued, none or held until 20/, /^1 held until 20/]],
  },
  {
    what: 'attachments whose time passed while the service ran',
    sql: (on) => set(on.ids.queuedWithFile, `attachments_until = 1`),
    finds: (on) => [
      ['overdue', on.ids.queuedWithFile, /^no longer queued with attachments after/, /^queued with attachments at/],
    ],
  },
];
