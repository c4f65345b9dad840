import { SECOND } from '../../../lib/clock';
import { hourCount, listCount, seqOf, type Damage } from './damage';

/** The WIB day of the first claim of the demo. */
const firstDay = `(SELECT min(day) FROM send_days)`;

export const ATTEMPT_DAMAGE: Damage[] = [
  {
    what: 'an attempt that is gone',
    sql: (on) => `DELETE FROM attempts WHERE seq = ${seqOf(on.ids.bounced)}`,
    finds: (on) => [
      ['attempts', on.ids.bounced, /^attempt 1 with 1 kept$/, /^attempt 1 with 0 kept$/],
      ['day-counter', `${on.premium} on ${on.day(on.ids.bounced)}`, /^\d+$/, /^\d+$/],
    ],
  },
  {
    what: 'an attempt that ended in another way',
    sql: (on) => `UPDATE attempts SET outcome = 'refused_permanently' WHERE seq = ${seqOf(on.ids.sent)}`,
    finds: (on) => [
      ['attempts', on.ids.sent, /^attempt 1 sent or unknown or open$/, /^attempt 1 refused_permanently$/],
    ],
  },
  {
    what: 'an attempt that ended in a way that there is not',
    sql: (on) => `UPDATE attempts SET outcome = 'zzz' WHERE seq = ${seqOf(on.ids.sent)}`,
    finds: (on) => [['attempts', on.ids.sent, /^attempt 1 sent or unknown or open$/, /^attempt 1 zzz$/]],
  },
  {
    what: 'an attempt at a time that no calendar has',
    sql: (on) => `UPDATE attempts SET claimed_at = 9000000000000000 WHERE seq = ${seqOf(on.ids.rejected)}`,
    finds: (on) => [
      ['attempts', on.ids.rejected, /^attempt 1 claimed at 20/, /^attempt 1 claimed at 9000000000000000 ms$/],
      ['day-counter', `${on.premium} on ${on.day(on.ids.rejected)}`],
      ['day-counter', `${on.premium} on no day`, /^1$/, /^0$/],
    ],
  },
  {
    what: 'an attempt without an end',
    sql: (on) => `UPDATE attempts SET outcome = NULL WHERE seq = ${seqOf(on.ids.retried)} AND n = 1`,
    finds: (on) => [
      ['attempts', on.ids.retried, /^attempt 1 refused_temporarily or not_sent or unconfirmed$/, /^attempt 1 open$/],
    ],
  },
  {
    what: 'an attempt at another time',
    sql: (on) => `UPDATE attempts SET claimed_at = claimed_at + 1 WHERE seq = ${seqOf(on.ids.rejected)}`,
    finds: (on) => [['attempts', on.ids.rejected, /^attempt 1 claimed at 20/, /^attempt 1 claimed at 20/]],
  },
  {
    what: 'a claim of no message',
    sql: (on) => `INSERT INTO attempts (seq, n, workspace_id, claimed_at)
      SELECT 999999, 1, workspace_id, claimed_at FROM attempts WHERE seq = ${seqOf(on.ids.bounced)}`,
    finds: (on) => [
      ['claim-message', on.premium, /^\d+ claims$/, /^\d+ claims$/],
      ['day-counter', `${on.premium} on ${on.day(on.ids.bounced)}`],
    ],
  },
  {
    what: 'an eleventh claim of a free account within 60 seconds',
    sql: (on) => on.moveClaim(on.lastClaimed(), on.firstClaim() + SECOND),
    finds: (on) => [['send-rate', on.free, /^at most 10 claims in 60 s$/, /^11 from 20.* to 20/]],
  },
];

export const COUNTER_DAMAGE: Damage[] = [
  {
    what: 'a key of a message that does not exist',
    sql: () => `UPDATE idempotency SET seq = 999999`,
    finds: () => [['idempotency', 'workspace 1 key pesanan-0001', /^a message of workspace 1$/, /^none$/]],
  },
  {
    what: 'two keys of one message',
    sql: () => `INSERT INTO idempotency SELECT workspace_id, 'pesanan-0002', seq FROM idempotency`,
    finds: () => [
      ['idempotency', 'workspace 1 key pesanan-0002', /^a separate message$/, /which has the key pesanan-0001$/],
    ],
  },
  {
    what: 'a key of a message of another workspace',
    sql: (on) => `UPDATE idempotency SET seq = ${seqOf(on.ids.queued)}`,
    finds: () => [['idempotency', 'workspace 1 key pesanan-0001', /workspace 1$/, /of workspace 2$/]],
  },
  {
    what: 'a workspace that is gone, with its messages and coins still there',
    sql: (on) => `DELETE FROM workspaces WHERE id = ${on.ids.free}`,
    finds: (on) => [['workspace', on.free, /^a workspace$/, /^none, though data refers to it$/]],
  },
  {
    what: 'a group that stands beyond the end of its log',
    sql: () => `UPDATE cursors SET next = 999999 WHERE consumer = 'mta-feedback'`,
    finds: () => [['position', 'group mta-feedback', /^at most \d+$/, /^999999$/]],
  },
  {
    what: 'a counter of a workspace that is too high',
    sql: () => `UPDATE send_days SET claims = claims + 3 WHERE workspace_id = 1 AND day = ${firstDay}`,
    finds: (on) => [
      ['day-counter', `${on.premium} on ${on.day(on.ids.bounced)}`, /^\d+$/, /^\d+$/],
      ['platform-counter', on.day(on.ids.bounced), /^\d+$/, /^\d+$/],
    ],
  },
  {
    what: 'a counter of the platform that is too low',
    sql: () => `UPDATE send_days SET claims = claims - 1 WHERE workspace_id = 0 AND day = ${firstDay}`,
    finds: (on) => [['platform-counter', on.day(on.ids.bounced), /^\d+$/, /^\d+$/]],
  },
];

export const LIST_DAMAGE: Damage[] = [
  {
    what: 'a counter of contacts that is too high',
    sql: () => `UPDATE list_blocks SET n = n + 2 WHERE list = 'contacts' AND owner = 1`,
    finds: (on) => [listCount(on.premium, 'contacts')],
  },
  {
    what: 'a counter of blocks of contacts that is too low',
    sql: () => `UPDATE list_blocks SET n = n - 1 WHERE list = 'contacts' AND owner = 1 AND level = 1`,
    finds: (on) => [['list-count', `${on.premium} contacts 0 to 1048575`, /^\d+$/, /^\d+$/]],
  },
  {
    what: 'a counter of contacts that there are not',
    sql: () => `INSERT INTO list_blocks (list, owner, level, block, n) VALUES ('contacts', 1, 0, 7, 3)`,
    finds: (on) => [
      ['list-count', `${on.premium} contacts 7168 to 8191`, /^0$/, /^3$/],
      ['list-count', `${on.premium} contacts 0 to 1048575`, /^\d+$/, /^\d+$/],
    ],
  },
  {
    what: 'counters of messages that are gone',
    sql: (on) => `DELETE FROM message_blocks WHERE workspace_id = ${on.ids.free}`,
    finds: (on) => ['queued', 'delivered', 'failed'].map((status) => listCount(on.free, `${status} messages`)),
  },
  {
    what: 'a message that is counted under another status',
    sql: (on) =>
      `UPDATE message_blocks SET failed = failed - 1, queued = queued + 1 WHERE workspace_id = ${on.ids.premium}`,
    finds: (on) => [listCount(on.premium, 'failed messages'), listCount(on.premium, 'queued messages')],
  },
  {
    what: 'an hour that counts too many opened messages',
    sql: (on) =>
      `UPDATE message_hours SET opened_by_people = opened_by_people + 1000 WHERE workspace_id = ${on.ids.free}`,
    finds: (on) => [hourCount(on.free, 'openedByPeople')],
  },
];

export const SANDBOX_DAMAGE: Damage[] = [
  {
    what: 'a mail received twice',
    file: 'sandbox.sqlite',
    sql: (on) => `INSERT INTO mails (received_at, message_id, envid, mail_from, recipients, header_from, subject, size)
      SELECT received_at, message_id, envid, mail_from, recipients, header_from, subject, size FROM mails
      WHERE message_id = '${on.ids.withKey}'`,
    finds: (on) => [['received-once', on.ids.withKey, /^once$/, /^2 times$/]],
  },
  {
    what: 'a mail that was never received',
    file: 'sandbox.sqlite',
    sql: (on) => `DELETE FROM mails WHERE message_id = '${on.ids.sent}'`,
    finds: (on) => [['received', on.ids.sent, /^sent_to_mta: once$/, /^never$/]],
  },
  {
    what: 'a mail of a message that was refused',
    file: 'sandbox.sqlite',
    sql: (on) => `UPDATE mails SET message_id = '${on.ids.exhausted}' WHERE message_id = '${on.ids.sent}'`,
    finds: (on) => [
      ['received', on.ids.exhausted, /^failed: never$/, /^once$/],
      ['received', on.ids.sent, /^sent_to_mta: once$/, /^never$/],
    ],
  },
];
