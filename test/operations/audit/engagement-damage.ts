import { ALL_TIME } from '../../../domain/engagement/engagement';
import type { Damage, Scene } from './damage';

const ofAllTime = (on: Scene): string => `contact ${on.contact(on.ids.delivered)} of all time`;
const fromHour = (on: Scene): string =>
  `contact ${on.contact(on.ids.delivered)} from ${on.firstHour(on.ids.delivered)}`;
const rowsOf = (on: Scene, condition: string): string =>
  `contact_id = ${on.contact(on.ids.delivered)} AND ${condition} hour = ${ALL_TIME}`;

export const ENGAGEMENT_DAMAGE: Damage[] = [
  {
    what: 'a contact that is said to have opened more',
    sql: (on) => `UPDATE engagement SET opened = opened + 1 WHERE ${rowsOf(on, '')}`,
    finds: (on) => [['engagement', ofAllTime(on), /^1 opened, 1 clicked, 1 clicks, last at 20/, /^2 opened/]],
  },
  {
    what: 'another time of the last activity',
    sql: (on) => `UPDATE engagement SET last_at = last_at - 1 WHERE ${rowsOf(on, '')}`,
    finds: (on) => [['engagement', ofAllTime(on), /last at 20/, /last at 20/]],
  },
  {
    what: 'a row of an hour that is gone',
    sql: (on) => `DELETE FROM engagement WHERE ${rowsOf(on, 'clicks > 0 AND NOT')}`,
    finds: (on) => [['engagement', fromHour(on), /^0 opened, 1 clicked, 1 clicks$/, /^none$/]],
  },
  {
    what: 'a click that is counted and not kept',
    sql: (on) => `DELETE FROM signals WHERE message_id = '${on.ids.delivered}' AND kind = 'click'`,
    finds: (on) => [
      ['engagement', ofAllTime(on), /^1 opened, 0 clicked, 0 clicks/, /^1 opened, 1 clicked, 1 clicks/],
      ['engagement', fromHour(on), /^none$/, /^0 opened, 1 clicked, 1 clicks$/],
    ],
  },
  {
    what: 'a row of a contact that does not exist',
    sql: () =>
      `INSERT INTO engagement (workspace_id, hour, contact_id, opened, clicked, clicks, last_at)
       VALUES (1, ${ALL_TIME}, 999999, 1, 0, 0, 0)`,
    finds: () => [['engagement', 'contact 999999 of all time', /^none$/, /^1 opened/]],
  },
  {
    what: 'a flag of a machine that the counts do not know',
    sql: (on) => `UPDATE signals SET machine = 'head' WHERE message_id = '${on.ids.delivered}' AND kind = 'click'`,
    finds: (on) => [
      ['engagement', ofAllTime(on), /by people 1, 0 and 0$/, /^1 opened, 1 clicked, 1 clicks, last at 20[^,]*$/],
      ['engagement', fromHour(on), /by people 0, 0 and 0$/, /^0 opened, 1 clicked, 1 clicks$/],
    ],
  },
];
