import { CONVERSION_WORK } from '../../../domain/conversions/attribution';
import { NOBODY, type Damage, type Scene } from './damage';

const subject = (on: Scene): string => `conversion ${on.ids.sale}`;
const columns = (on: Scene, columns: string): string => `UPDATE conversions SET ${columns} WHERE id = '${on.ids.sale}'`;
const task = (id: string): string =>
  `INSERT INTO due_tasks (kind, id, workspace_id, lane, due_at, payload, attempt, ready_at)
   VALUES ('${CONVERSION_WORK}', '${id}', 1, '', 1, '{}', 0, 1)`;
const last = /^click hit-5 at 20/;

export const CONVERSION_DAMAGE: Damage[] = [
  {
    what: 'a sale that is linked to an earlier click',
    sql: (on) => columns(on, `click_id = 'hit-4', clicked_at = (SELECT at FROM signals WHERE id = 'hit-4')`),
    finds: (on) => [['conversion-link', subject(on), last, /^click hit-4 at 20/]],
  },
  {
    what: 'a sale that is linked to a click that there is not',
    sql: (on) => columns(on, `click_id = 'hit-9'`),
    finds: (on) => [['conversion-link', subject(on), last, /^click hit-9 at 20/]],
  },
  {
    what: 'a sale that is linked at another time than that of its click',
    sql: (on) => columns(on, `clicked_at = clicked_at - 1`),
    finds: (on) => [['conversion-link', subject(on), last, /^click hit-5 at 20/]],
  },
  {
    what: 'a sale that lost its link, and has its due work',
    sql: (on) =>
      `${columns(on, 'click_id = NULL, clicked_at = NULL, clicked_message_id = NULL, campaign_id = NULL')};
       ${task(on.ids.sale)}`,
    finds: (on) => [['conversion-link', subject(on), last, /^no click$/]],
  },
  {
    what: 'a sale that was moved to a week in which nobody clicked',
    sql: (on) => columns(on, 'occurred_at = occurred_at + 8 * 86400000'),
    finds: (on) => [['conversion-link', subject(on), /^no click$/, last]],
  },
  {
    what: 'a sale of a message that there is not',
    sql: (on) => columns(on, `clicked_message_id = '${NOBODY}'`),
    finds: (on) => [['conversion-message', subject(on), /^message 01.* of workspace 1/, /of workspace none/]],
  },
  {
    what: 'a sale that counts for another campaign',
    sql: (on) => columns(on, 'campaign_id = 999'),
    finds: (on) => [['conversion-message', subject(on), /of workspace 1, campaign \d+ and/, /, campaign 999 and/]],
  },
  {
    what: 'a sale that counts for another journey',
    sql: (on) => columns(on, 'journey_id = 999'),
    finds: (on) => [['conversion-message', subject(on), /and journey none$/, /and journey 999$/]],
  },
  {
    what: 'a sale that waits without due work',
    sql: (on) => `DELETE FROM due_tasks WHERE kind = '${CONVERSION_WORK}' AND id = '${on.ids.waitingSale}'`,
    finds: (on) => [
      ['conversion-work', `conversion ${on.ids.waitingSale}`, /^waiting: its due work$/, /^no due work$/],
    ],
  },
  {
    what: 'due work of a sale that is linked',
    sql: (on) => task(on.ids.sale),
    finds: (on) => [['conversion-work', subject(on), /^linked: no due work$/, /^its due work$/]],
  },
];
