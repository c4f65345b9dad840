import { NOBODY, type Damage } from './damage';

const campaign = (on: { ids: { campaign: number } }): string => `campaign ${on.ids.campaign}`;

export const CAMPAIGN_DAMAGE: Damage[] = [
  {
    what: 'a row of a manifest that is gone',
    sql: () => `DELETE FROM campaign_recipients WHERE state = 'skipped'`,
    finds: (on) => [['campaign-rows', campaign(on), /^2 rows, 0 skipped/, /^3 rows, 1 skipped/]],
  },
  {
    what: 'a row of a manifest that names a message that there is not',
    sql: () => `UPDATE campaign_recipients SET message_id = '${NOBODY}' WHERE contact_id = (
      SELECT min(contact_id) FROM campaign_recipients WHERE state = 'message')`,
    finds: (on) => [['campaign-messages', campaign(on), /^2 messages/, /^2, and 1 rows without theirs$/]],
  },
  {
    what: 'a counter of a campaign that is too high',
    sql: (on) => `UPDATE campaigns SET fed = fed + 1 WHERE id = ${on.ids.campaign}`,
    finds: (on) => [
      ['campaign-rows', campaign(on), /2 made messages/, /3 made messages/],
      ['campaign-counts', campaign(on), /^3 recipients$/, /^2, one of them negative$/],
    ],
  },
  {
    what: 'a live campaign that nothing drives',
    sql: (on) => `UPDATE campaigns SET status = 'live' WHERE id = ${on.ids.campaign}`,
    finds: (on) => [['campaign-work', campaign(on), /^live, with its due work$/, /^0 open, and no due work$/]],
  },
  {
    what: 'an open by a person that no signal shows',
    sql: (on) => `UPDATE campaigns SET opens_by_people = opens_by_people + 1 WHERE id = ${on.ids.campaign}`,
    finds: (on) => [['campaign-tally', campaign(on), /^1 opens without bots$/, /^2$/]],
  },
];
