import { CONVERSION_WORK, LINKED_WITHIN } from '../../../domain/conversions/attribution';
import { ALL_TIME } from '../../../domain/engagement/engagement';
import { HOUR } from '../../../lib/clock';
import { COUNT_LISTS } from '../contacts/count-lists';

/** A column added to a table. */
export interface AddedColumn {
  table: string;
  column: string;
  /** Its type and constraints. */
  definition: string;
}

/** A migration of older data to the tables of `schema`. Missing tables and indexes are created without one. */
interface Migration {
  /** The schema version that it leads to. */
  to: number;
  /** Added before the statements of all, if the table lacks them; a missing table is created with them. */
  columns?: readonly AddedColumn[];
  /** Run in order, in the transaction that sets the version. */
  statements: readonly string[];
  /** Dropped last, if the table has them. */
  dropped?: readonly { table: string; column: string }[];
}

const hour = (at: string): string => `${at} - ${at} % ${HOUR}`;
const HITS = `signals s JOIN messages m ON m.id = s.message_id JOIN contacts c ON c.id = m.contact_id`;

/** Builds the roll-ups of domain/engagement from every stored signal. A click counts as an open. */
const ROLL_UPS = [
  `CREATE TEMP TABLE mails AS
   SELECT m.contact_id AS contact_id, c.workspace_id AS workspace_id, max(s.at) AS opened_at,
     max(iif(s.kind = 'click', s.at, NULL)) AS clicked_at, sum(s.kind = 'click') AS clicks
   FROM ${HITS} WHERE s.kind IN ('open', 'click') GROUP BY m.seq`,
  `INSERT INTO engagement (workspace_id, hour, contact_id, opened, clicked, clicks, last_at)
   SELECT workspace_id, ${ALL_TIME}, contact_id, count(*), count(clicked_at), sum(clicks), max(opened_at)
   FROM mails GROUP BY workspace_id, contact_id`,
  `INSERT INTO engagement (workspace_id, hour, contact_id, opened, clicked, clicks)
   SELECT workspace_id, hour, contact_id, sum(opened), sum(clicked), sum(clicks) FROM (
     SELECT workspace_id, ${hour('opened_at')} AS hour, contact_id, 1 AS opened, 0 AS clicked, 0 AS clicks FROM mails
     UNION ALL
     SELECT workspace_id, ${hour('clicked_at')}, contact_id, 0, 1, 0 FROM mails WHERE clicked_at IS NOT NULL
     UNION ALL
     SELECT c.workspace_id, ${hour('s.at')}, m.contact_id, 0, 0, 1 FROM ${HITS} WHERE s.kind = 'click'
   ) GROUP BY workspace_id, hour, contact_id`,
  'DROP TABLE temp.mails',
];

const LOGS_OF_2 = [
  'log_messages_accepted',
  'log_messages_dispatch',
  'log_mta_feedback',
  'log_message_events',
  'log_coins_entries',
  'log_engagement_hits',
  'log_conversions',
  'log_campaigns_sends',
  'log_journeys_enrollments',
];

/** Lets a group read several topics. Records get a version and, optionally, the only group they are for. */
const LOGS_BY_TOPIC = [
  'ALTER TABLE cursors RENAME TO cursors_of_2',
  `CREATE TABLE cursors (consumer TEXT NOT NULL, topic TEXT NOT NULL, next INTEGER NOT NULL,
    PRIMARY KEY (consumer, topic)) WITHOUT ROWID`,
  `INSERT INTO cursors (consumer, topic, next)
   SELECT c.consumer, g.topic, c.next FROM cursors_of_2 c JOIN (
     SELECT 'throttle' AS consumer, 'messages.accepted' AS topic UNION ALL SELECT 'dispatch', 'messages.dispatch'
     UNION ALL SELECT 'mta-feedback', 'mta.feedback' UNION ALL SELECT 'coins', 'coins.entries'
     UNION ALL SELECT 'engagement', 'engagement.hits') g ON g.consumer = c.consumer`,
  'DROP TABLE cursors_of_2',
];
const RECORD_VERSION = { column: 'version', definition: 'INTEGER NOT NULL DEFAULT 1' };
const RECORD_COLUMNS: readonly AddedColumn[] = [
  ...LOGS_OF_2.flatMap((table) => [
    { table, ...RECORD_VERSION },
    { table, column: 'for_group', definition: 'TEXT' },
  ]),
  { table: 'parked', ...RECORD_VERSION },
];

/** The state of a webhook. */
const WEBHOOK_COLUMNS: readonly AddedColumn[] = [
  { table: 'webhooks', column: 'enabled_at', definition: 'INTEGER NOT NULL DEFAULT 0' },
  { table: 'webhooks', column: 'last_success_at', definition: 'INTEGER' },
  { table: 'webhooks', column: 'failures', definition: 'INTEGER NOT NULL DEFAULT 0' },
];

const count = (column: string): AddedColumn => ({
  table: 'campaigns',
  column,
  definition: 'INTEGER NOT NULL DEFAULT 0',
});
/** The run of a campaign. */
const CAMPAIGN_COLUMNS: readonly AddedColumn[] = [
  { table: 'campaigns', column: 'cancelled_at', definition: 'INTEGER' },
  { table: 'campaigns', column: 'pause_reason', definition: 'TEXT' },
  { table: 'campaigns', column: 'schedule_error', definition: 'TEXT' },
  ...['rows', 'skipped', 'fed', 'cancelled', 'expanded_to', 'expanded', 'fed_to'].map(count),
  { table: 'campaigns', column: 'marks', definition: `TEXT NOT NULL DEFAULT '[]'` },
  ...['opens', 'clicks', 'unsubscribes'].map(count),
];

/** What the audit compares: the webhooks that an event was queued for, and the event of a delivery. Null: not known. */
const AUDITED_COLUMNS: readonly AddedColumn[] = [
  { table: 'webhook_events', column: 'webhooks', definition: 'TEXT' },
  { table: 'webhook_deliveries', column: 'event_id', definition: 'TEXT' },
];

/** What the relay left out of a submitted mail. */
const RELAY_COLUMNS: readonly AddedColumn[] = [
  { table: 'messages', column: 'attachments_left_out', definition: 'INTEGER NOT NULL DEFAULT 0' },
];

const ofEnrollment = (column: string, definition: string): AddedColumn => ({
  table: 'enrollments',
  column,
  definition,
});
const ofMessage = (column: string, definition: string): AddedColumn => ({ table: 'messages', column, definition });
/** The run of a journey. */
const JOURNEY_COLUMNS: readonly AddedColumn[] = [
  { table: 'journeys', column: 'version', definition: 'INTEGER NOT NULL DEFAULT 1' },
  ofEnrollment('version', 'INTEGER NOT NULL DEFAULT 1'),
  ofEnrollment('status', `TEXT NOT NULL DEFAULT 'active'`),
  ofEnrollment('reason', 'TEXT'),
  ofEnrollment('since', 'INTEGER NOT NULL DEFAULT 0'),
  ofEnrollment('goal_at', 'INTEGER'),
  ofEnrollment('ended_at', 'INTEGER'),
  ...['journey_id', 'journey_version', 'journey_step'].map((column) => ofMessage(column, 'INTEGER')),
  ofMessage('category', 'TEXT'),
];
/** Each journey is its own first version, and each contact that was enrolled is at its first step. */
const FIRST_VERSIONS = [
  `INSERT OR IGNORE INTO journey_versions (journey_id, version, steps, goal, created_at)
   SELECT id, 1, steps, goal, created_at FROM journeys`,
  `INSERT OR IGNORE INTO journey_mails (journey_id, version, step, html, text)
   SELECT j.id, 1, s.key + 1, s.value ->> 'html', s.value ->> 'text' FROM journeys j, json_each(j.steps) s
   WHERE s.value ->> 'kind' = 'email'`,
  'UPDATE enrollments SET step = 1, since = enrolled_at, due_at = (due_at + 59999) / 60000 * 60000',
  `INSERT OR IGNORE INTO due_tasks (kind, id, workspace_id, lane, due_at, payload, attempt, ready_at)
   SELECT 'journey-step', id, workspace_id, 'journey:' || journey_id, due_at, '{}', 0, due_at FROM enrollments
   WHERE due_at IS NOT NULL`,
];
/** Machines are told from people. */
const MACHINE_COLUMNS: readonly AddedColumn[] = [
  { table: 'signals', column: 'machine', definition: 'TEXT' },
  { table: 'signals', column: 'client', definition: 'TEXT' },
  ...['opened', 'clicked', 'clicks'].map((name) => ({ ...count(`${name}_by_people`), table: 'engagement' })),
  ...['opens_by_people', 'clicks_by_people'].map(count),
];
/** Until now nothing was flagged. */
const COUNT_PEOPLE = [
  'UPDATE engagement SET opened_by_people = opened, clicked_by_people = clicked, clicks_by_people = clicks',
  'UPDATE campaigns SET opens_by_people = opens, clicks_by_people = clicks',
];
/** What refusals meant. */
const REFUSAL_COLUMNS: readonly AddedColumn[] = [
  { table: 'messages', column: 'refused_class', definition: 'TEXT' },
  { table: 'messages', column: 'refused_at', definition: 'INTEGER' },
  { table: 'messages', column: 'hard_bounced_at', definition: 'INTEGER' },
];
/** Every bounce from before classes was a hard one; its time ends the history, as `status@ms`. */
const HARD_SO_FAR = `UPDATE messages SET hard_bounced_at =
    CAST(substr(history, instr(history, 'bounced@') + length('bounced@')) AS INTEGER) WHERE status = 'bounced'`;

/** Public forms, double opt-in. */
const FORM_COLUMNS: readonly AddedColumn[] = [
  { table: 'audiences', column: 'redirect_hosts', definition: `TEXT NOT NULL DEFAULT '[]'` },
  { table: 'audience_members', column: 'pending_until', definition: 'INTEGER' },
  { table: 'audience_members', column: 'asked', definition: 'INTEGER NOT NULL DEFAULT 0' },
  { table: 'audience_members', column: 'by_form', definition: 'INTEGER NOT NULL DEFAULT 0' },
];
/** What a sale is linked to, and the contact of a click. */
const LINK_COLUMNS: readonly AddedColumn[] = [
  { table: 'signals', column: 'contact_id', definition: 'INTEGER' },
  { table: 'conversions', column: 'click_id', definition: 'TEXT' },
  { table: 'conversions', column: 'clicked_at', definition: 'INTEGER' },
  { table: 'conversions', column: 'clicked_message_id', definition: 'TEXT' },
  { table: 'conversions', column: 'campaign_id', definition: 'INTEGER' },
  { table: 'conversions', column: 'unlinked', definition: 'INTEGER NOT NULL DEFAULT 0' },
  { table: 'conversions', column: 'order_hash', definition: 'TEXT' },
];
/** Sales from before were never looked at: their due work links those that can be linked. */
const LINK_SALES = [
  'DROP INDEX IF EXISTS conversions_of_contact',
  `UPDATE signals SET contact_id = (SELECT contact_id FROM messages WHERE id = signals.message_id) WHERE kind = 'click'`,
  `INSERT OR IGNORE INTO due_tasks (kind, id, workspace_id, lane, due_at, payload, attempt, ready_at)
   SELECT '${CONVERSION_WORK}', id, workspace_id, '', received_at + ${LINKED_WITHIN}, '{}', 0, received_at + ${LINKED_WITHIN}
   FROM conversions`,
];
/** Sales that were linked before belong to the journey of the clicked message. */
const JOURNEY_OF_SALES = `UPDATE conversions SET journey_id =
    (SELECT m.journey_id FROM messages m WHERE m.id = conversions.clicked_message_id) WHERE click_id IS NOT NULL`;

/** Transactional domains. */
const CATEGORY_COLUMNS: readonly AddedColumn[] = [
  { table: 'domains', column: 'category', definition: `TEXT NOT NULL DEFAULT 'marketing'` },
  { table: 'domains', column: 'track_clicks', definition: 'INTEGER NOT NULL DEFAULT 0' },
  ofMessage('track_clicks', 'INTEGER NOT NULL DEFAULT 0'),
];
/** Scheduled messages, templates. */
const TEMPLATE_COLUMNS: readonly AddedColumn[] = [
  ofMessage('send_at', 'INTEGER'),
  { table: 'bodies', column: 'variables', definition: 'TEXT' },
];

/** The request rate of a key of its own. */
const KEY_COLUMNS: readonly AddedColumn[] = [{ table: 'api_keys', column: 'rate_per_minute', definition: 'INTEGER' }];

/** Retries of webhook deliveries, the language of a workspace, the brake of a form. */
const RETRY_AND_LANGUAGE_COLUMNS: readonly AddedColumn[] = [
  { table: 'webhook_deliveries', column: 'retry_at', definition: 'INTEGER' },
  { table: 'workspaces', column: 'language', definition: `TEXT NOT NULL DEFAULT 'id'` },
  { table: 'audiences', column: 'form_brake', definition: 'TEXT' },
];

/** In order of version. A new database needs none of them. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    statements: [
      'DROP INDEX IF EXISTS messages_of_workspace',
      ...COUNT_LISTS,
      'DROP INDEX IF EXISTS signals_of_message',
      ...ROLL_UPS,
      'ALTER TABLE messages ADD COLUMN recipient_hash TEXT',
      'DELETE FROM bodies WHERE seq IN (SELECT seq FROM messages WHERE recipient IS NULL)',
      'ALTER TABLE signals ADD COLUMN link INTEGER',
      `UPDATE signals SET link = (SELECT min(j.key) FROM messages m JOIN links l ON l.seq = m.seq, json_each(l.urls) j
         WHERE m.id = signals.message_id AND j.value = signals.url) WHERE url IS NOT NULL`,
      'ALTER TABLE signals DROP COLUMN url',
    ],
  },
  { to: 3, columns: RECORD_COLUMNS, statements: LOGS_BY_TOPIC },
  { to: 4, columns: WEBHOOK_COLUMNS, statements: ['UPDATE webhooks SET enabled_at = created_at'] },
  { to: 5, columns: AUDITED_COLUMNS, statements: [] },
  { to: 6, columns: RELAY_COLUMNS, statements: [] },
  { to: 7, columns: CAMPAIGN_COLUMNS, statements: [] },
  {
    to: 8,
    columns: JOURNEY_COLUMNS,
    statements: FIRST_VERSIONS,
    dropped: [{ table: 'enrollments', column: 'goal_reached' }],
  },
  { to: 9, columns: MACHINE_COLUMNS, statements: COUNT_PEOPLE },
  { to: 10, columns: FORM_COLUMNS, statements: [] },
  { to: 11, columns: REFUSAL_COLUMNS, statements: [HARD_SO_FAR] },
  { to: 12, columns: LINK_COLUMNS, statements: LINK_SALES },
  {
    to: 14,
    columns: [{ table: 'conversions', column: 'journey_id', definition: 'INTEGER' }],
    statements: [JOURNEY_OF_SALES],
  },
  { to: 15, columns: CATEGORY_COLUMNS, statements: [] },
  { to: 18, columns: TEMPLATE_COLUMNS, statements: [] },
  { to: 19, columns: KEY_COLUMNS, statements: [] },
  { to: 20, columns: RETRY_AND_LANGUAGE_COLUMNS, statements: [] },
];
