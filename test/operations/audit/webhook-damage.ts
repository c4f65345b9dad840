import type { Damage, Scene } from './damage';

const givenUp = (on: Scene): string =>
  on.read(
    `SELECT min(id) AS value FROM webhook_deliveries WHERE state = 'given_up' AND json_array_length(attempts) = 5`,
  );
const waiting = (on: Scene): string =>
  on.read(`SELECT min(id) AS value FROM webhook_deliveries WHERE state = 'waiting'`);
const eventOf = (on: Scene, id: string): string =>
  on.read(`SELECT event_id AS value FROM webhook_deliveries WHERE id = '${id}'`);
const complaint = (on: Scene): string => on.read(`SELECT id AS value FROM webhook_events WHERE event = 'complaint'`);

/** A due task for this delivery, as one of another webhook. */
const task = (id: string): string =>
  `INSERT INTO due_tasks (kind, id, workspace_id, lane, due_at, payload, attempt, ready_at)
   VALUES ('webhook', '${id}', 1, '77', 1, '{}', 0, 1)`;
const columns = (id: string, columns: string): string => `UPDATE webhook_deliveries SET ${columns} WHERE id = '${id}'`;

export const WEBHOOK_DAMAGE: Damage[] = [
  {
    what: 'a delivery that is gone',
    sql: (on) => `DELETE FROM webhook_deliveries WHERE id = '${givenUp(on)}'`,
    finds: (on) => [['webhook-event', eventOf(on, givenUp(on)), /: a delivery to webhook \d+$/, /^none$/]],
  },
  {
    what: 'a delivery that waits and is gone, with its due task still there',
    sql: (on) => `DELETE FROM webhook_deliveries WHERE id = '${waiting(on)}'`,
    finds: (on) => [
      ['webhook-event', eventOf(on, waiting(on)), /^delivered: a delivery to webhook \d+$/, /^none$/],
      ['webhook-task', `due task ${waiting(on)}`, /^a waiting delivery$/, /^none$/],
    ],
  },
  {
    what: 'an event that was not queued for an active webhook',
    sql: () => `UPDATE webhooks SET is_active = 1, event_types = 'complaint', enabled_at = 0 WHERE workspace_id = 1`,
    finds: (on) => [['webhook-event', complaint(on), /to webhook \d+, active since 1970/, /^none, stored at 20/]],
  },
  {
    what: 'a delivery that is there twice',
    sql: (on) => `CREATE TEMP TABLE copy AS SELECT * FROM webhook_deliveries WHERE id = '${givenUp(on)}';
      UPDATE copy SET id = 'whd_second'; INSERT INTO webhook_deliveries SELECT * FROM copy`,
    finds: () => [['webhook-once', 'whd_second', /^whd_[0-9a-f]{32}, of event evt_/, /^whd_second$/]],
  },
  {
    what: 'a sixth attempt',
    sql: (on) => columns(givenUp(on), `attempts = json_insert(attempts, '$[#]', json(json_extract(attempts, '$[0]')))`),
    finds: (on) => [['webhook-attempts', givenUp(on), /^at most 5$/, /^6$/]],
  },
  {
    what: 'a delivery that has succeeded without an attempt that did',
    sql: (on) => columns(givenUp(on), `state = 'delivered'`),
    finds: (on) => [['webhook-attempts', givenUp(on), /^delivered: a last attempt that succeeded$/, /^none$/]],
  },
  {
    what: 'attempts that cannot be read',
    sql: (on) => columns(givenUp(on), `attempts = '['`),
    finds: (on) => [['value', givenUp(on), /^attempts that can be read$/, /^attempts that cannot$/]],
  },
  {
    what: 'a delivery in a state that there is not',
    sql: (on) => columns(givenUp(on), `state = 'zzz'`),
    finds: (on) => [['value', givenUp(on), /^state waiting or delivered/, /^state zzz$/]],
  },
  {
    what: 'a delivery that waits without its due task',
    sql: (on) => `DELETE FROM due_tasks WHERE kind = 'webhook' AND id = '${waiting(on)}'`,
    finds: (on) => [['webhook-task', waiting(on), /^waiting: a due task in lane \d+$/, /^no due task$/]],
  },
  {
    what: 'a delivery that waits in the lane of another webhook',
    sql: (on) => `UPDATE due_tasks SET lane = '77' WHERE kind = 'webhook' AND id = '${waiting(on)}'`,
    finds: (on) => [['webhook-task', waiting(on), /^waiting: a due task in lane \d+$/, /^a due task in lane 77$/]],
  },
  {
    what: 'a due task of a delivery that does not wait',
    sql: (on) => task(givenUp(on)),
    finds: (on) => [['webhook-task', givenUp(on), /^given_up: no due task$/, /^a due task in lane 77$/]],
  },
  {
    what: 'a due task of a delivery that there is not',
    sql: () => task('whd_none'),
    finds: () => [['webhook-task', 'due task whd_none', /^a waiting delivery$/, /^none$/]],
  },
];
