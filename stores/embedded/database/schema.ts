import { CAMPAIGN_FIELDS } from '../../../domain/campaigns/campaign';
import { CONTACT_FIELDS } from '../../../domain/contacts/contact';
import type { Fields } from '../../../domain/field';
import { MESSAGE_FIELDS } from '../../../domain/messages/message';
import type { FileSchema } from '../../../lib/file-schema';
import { SCHEMA_VERSION } from '../../shared/data-file';
import { TOPIC_NAMES, type TopicName } from '../../../streams/topics';
import { addedColumns, columnDefinitions } from './column-definitions';

/** The table of a topic. One B-tree per topic, so an append is one insert. */
export const logTable = (topic: TopicName): string => `log_${topic.replaceAll(/[^a-z]/g, '_')}`;

const ID = 'id INTEGER PRIMARY KEY AUTOINCREMENT';
/** The columns of declared fields but for their id. */
const columnsOf = ({ id: _id, ...fields }: Fields): string => columnDefinitions(fields).join(', ');

const STORE_TABLES: Record<string, string> = {
  settings: 'name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  workspaces: `id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, suspended INTEGER NOT NULL,
    email_module INTEGER NOT NULL, business_name TEXT NOT NULL, business_address TEXT NOT NULL,
    track_conversions INTEGER NOT NULL, created_at INTEGER NOT NULL,
    language TEXT NOT NULL DEFAULT 'id', campaign_approval INTEGER NOT NULL DEFAULT 0,
    rates TEXT NOT NULL DEFAULT '[]', unconfirmed TEXT NOT NULL DEFAULT 'fail')`,
  api_keys: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL, revoked_at INTEGER, created_at INTEGER NOT NULL,
    rate_per_minute INTEGER)`,
  smtp_logins: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, username TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL, sealed TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  login_networks: `username TEXT NOT NULL, network TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (username, network)) WITHOUT ROWID`,
  domains: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, domain TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL, dkim_selector TEXT NOT NULL, dkim_key_sealed TEXT NOT NULL, created_at INTEGER NOT NULL,
    category TEXT NOT NULL DEFAULT 'marketing', track_clicks INTEGER NOT NULL DEFAULT 0,
    dkim_pending TEXT, dkim_retired TEXT NOT NULL DEFAULT '[]')`,
  contacts: `${ID}, ${columnsOf(CONTACT_FIELDS)})`,
  anonymising: `contact_id INTEGER PRIMARY KEY, workspace_id INTEGER NOT NULL, email TEXT NOT NULL, email_hash TEXT NOT NULL,
    name TEXT, after_seq INTEGER NOT NULL)`,
  list_blocks: `list TEXT NOT NULL, owner INTEGER NOT NULL, level INTEGER NOT NULL, block INTEGER NOT NULL,
    n INTEGER NOT NULL, PRIMARY KEY (list, owner, level, block)) WITHOUT ROWID`,
  message_blocks: `workspace_id INTEGER NOT NULL, level INTEGER NOT NULL, block INTEGER NOT NULL, queued INTEGER NOT NULL,
    sending INTEGER NOT NULL, sent_to_mta INTEGER NOT NULL, delivered INTEGER NOT NULL, bounced INTEGER NOT NULL,
    failed INTEGER NOT NULL, PRIMARY KEY (workspace_id, level, block)) WITHOUT ROWID`,
  message_hours: `workspace_id INTEGER NOT NULL, hour INTEGER NOT NULL, queued INTEGER NOT NULL, sending INTEGER NOT NULL,
    sent_to_mta INTEGER NOT NULL, delivered INTEGER NOT NULL, bounced INTEGER NOT NULL, failed INTEGER NOT NULL,
    opened INTEGER NOT NULL DEFAULT 0, clicked INTEGER NOT NULL DEFAULT 0, opened_by_people INTEGER NOT NULL DEFAULT 0,
    clicked_by_people INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (workspace_id, hour)) WITHOUT ROWID`,
  opened_messages: `workspace_id INTEGER NOT NULL, created_at INTEGER NOT NULL, seq INTEGER NOT NULL, clicked INTEGER NOT NULL,
    opened_by_people INTEGER NOT NULL, clicked_by_people INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, created_at, seq)) WITHOUT ROWID`,
  audiences: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, description TEXT,
    public_token TEXT NOT NULL, opt_in_mode TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    contacts_count INTEGER NOT NULL, redirect_hosts TEXT NOT NULL DEFAULT '[]', form_brake TEXT)`,
  audience_members: `audience_id INTEGER NOT NULL, contact_id INTEGER NOT NULL, joined_at INTEGER NOT NULL,
    confirmed_at INTEGER, pending_until INTEGER, asked INTEGER NOT NULL DEFAULT 0, by_form INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (audience_id, contact_id)) WITHOUT ROWID`,
  contact_consents: `contact_id INTEGER NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL, audience_id INTEGER NOT NULL,
    given_by TEXT, PRIMARY KEY (contact_id, at, source, audience_id)) WITHOUT ROWID`,
  templates: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, subject TEXT NOT NULL,
    html TEXT NOT NULL, text TEXT, variables TEXT NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL)`,
  images: `id TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID`,
  image_contents: 'id TEXT PRIMARY KEY, content BLOB NOT NULL)',
  suppressions: `workspace_id INTEGER NOT NULL, address_hash TEXT NOT NULL, reason TEXT NOT NULL, message_id TEXT,
    created_at INTEGER NOT NULL, PRIMARY KEY (workspace_id, address_hash, reason)) WITHOUT ROWID`,
  messages: `seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ${columnsOf(MESSAGE_FIELDS)},
    history TEXT NOT NULL, recipient_hash TEXT)`,
  unread_reports: `id TEXT PRIMARY KEY, text TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
    count INTEGER NOT NULL) WITHOUT ROWID`,
  bodies: 'seq INTEGER PRIMARY KEY, html TEXT NOT NULL, text TEXT, variables TEXT)',
  links: 'seq INTEGER PRIMARY KEY, urls TEXT NOT NULL)',
  attachments: `seq INTEGER NOT NULL, n INTEGER NOT NULL, filename TEXT NOT NULL, content_type TEXT NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (seq, n))`,
  idempotency: `workspace_id INTEGER NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, key)) WITHOUT ROWID`,
  attempts: `seq INTEGER NOT NULL, n INTEGER NOT NULL, workspace_id INTEGER NOT NULL, claimed_at INTEGER NOT NULL,
    fenced_at INTEGER, finished_at INTEGER, outcome TEXT, reply TEXT, PRIMARY KEY (seq, n)) WITHOUT ROWID`,
  ledger: `seq INTEGER PRIMARY KEY, workspace_id INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
    amount INTEGER NOT NULL, message_id TEXT, at INTEGER NOT NULL, UNIQUE (workspace_id, id))`,
  balances: `workspace_id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, purchased INTEGER NOT NULL,
    purchase_expires_at INTEGER)`,
  gates: `workspace_id INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, key)) WITHOUT ROWID`,
  send_days: `day TEXT NOT NULL, workspace_id INTEGER NOT NULL, claims INTEGER NOT NULL,
    PRIMARY KEY (day, workspace_id)) WITHOUT ROWID`,
  looks: `workspace_id INTEGER PRIMARY KEY, shard INTEGER NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL,
    kind TEXT NOT NULL)`,
  leases: 'name TEXT PRIMARY KEY, owner TEXT, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID',
  due_tasks: `kind TEXT NOT NULL, id TEXT NOT NULL, workspace_id INTEGER NOT NULL, lane TEXT NOT NULL, due_at INTEGER NOT NULL,
    payload TEXT NOT NULL, attempt INTEGER NOT NULL, ready_at INTEGER, token TEXT, reason TEXT, given_up_at INTEGER,
    PRIMARY KEY (kind, id)) WITHOUT ROWID`,
  signals: `id TEXT PRIMARY KEY, message_id TEXT NOT NULL, workspace_id INTEGER NOT NULL, kind TEXT NOT NULL,
    at INTEGER NOT NULL, link INTEGER, machine TEXT, client TEXT, contact_id INTEGER) WITHOUT ROWID`,
  engagement: `workspace_id INTEGER NOT NULL, hour INTEGER NOT NULL, contact_id INTEGER NOT NULL, opened INTEGER NOT NULL,
    clicked INTEGER NOT NULL, clicks INTEGER NOT NULL, last_at INTEGER, opened_by_people INTEGER NOT NULL DEFAULT 0,
    clicked_by_people INTEGER NOT NULL DEFAULT 0, clicks_by_people INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, hour, contact_id)) WITHOUT ROWID`,
  conversions: `id TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL, amount INTEGER NOT NULL, message_id TEXT,
    contact_id INTEGER, order_id TEXT, occurred_at INTEGER NOT NULL, received_at INTEGER NOT NULL, click_id TEXT,
    clicked_at INTEGER, clicked_message_id TEXT, campaign_id INTEGER, unlinked INTEGER NOT NULL DEFAULT 0,
    order_hash TEXT, journey_id INTEGER) WITHOUT ROWID`,
  campaigns: `${ID}, ${columnsOf(CAMPAIGN_FIELDS)},
    rows INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0, fed INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0, expanded_to INTEGER NOT NULL DEFAULT 0, expanded INTEGER NOT NULL DEFAULT 0,
    fed_to INTEGER NOT NULL DEFAULT 0, marks TEXT NOT NULL DEFAULT '[]', opens INTEGER NOT NULL DEFAULT 0,
    clicks INTEGER NOT NULL DEFAULT 0, unsubscribes INTEGER NOT NULL DEFAULT 0,
    opens_by_people INTEGER NOT NULL DEFAULT 0, clicks_by_people INTEGER NOT NULL DEFAULT 0)`,
  campaign_recipients: `campaign_id INTEGER NOT NULL, contact_id INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
    message_id TEXT, PRIMARY KEY (campaign_id, contact_id)) WITHOUT ROWID`,
  journeys: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL,
    trigger_type TEXT NOT NULL, audience_id INTEGER, steps TEXT NOT NULL, goal TEXT, secret_sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1)`,
  journey_versions: `journey_id INTEGER NOT NULL, version INTEGER NOT NULL, steps TEXT NOT NULL, goal TEXT,
    created_at INTEGER NOT NULL, PRIMARY KEY (journey_id, version)) WITHOUT ROWID`,
  journey_mails: `journey_id INTEGER NOT NULL, version INTEGER NOT NULL, step INTEGER NOT NULL, html TEXT NOT NULL,
    text TEXT, PRIMARY KEY (journey_id, version, step))`,
  enrollments: `id TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL, journey_id INTEGER NOT NULL, contact_id INTEGER NOT NULL,
    step INTEGER NOT NULL, due_at INTEGER, enrolled_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1,
    status TEXT NOT NULL DEFAULT 'active', reason TEXT, since INTEGER NOT NULL DEFAULT 0, goal_at INTEGER,
    ended_at INTEGER) WITHOUT ROWID`,
  enrollment_steps: `enrollment_id TEXT NOT NULL, step INTEGER NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,
    outcome TEXT NOT NULL, reason TEXT, message_id TEXT, PRIMARY KEY (enrollment_id, step)) WITHOUT ROWID`,
  journey_posts: `enrollment_id TEXT NOT NULL, step INTEGER NOT NULL, workspace_id INTEGER NOT NULL,
    journey_id INTEGER NOT NULL, contact_id INTEGER NOT NULL, created_at INTEGER NOT NULL, state TEXT NOT NULL,
    attempts TEXT NOT NULL, PRIMARY KEY (enrollment_id, step)) WITHOUT ROWID`,
  webhooks: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, url TEXT NOT NULL, event_types TEXT NOT NULL,
    secret_sealed TEXT NOT NULL, is_active INTEGER NOT NULL, created_at INTEGER NOT NULL,
    enabled_at INTEGER NOT NULL DEFAULT 0, last_success_at INTEGER, failures INTEGER NOT NULL DEFAULT 0)`,
  webhook_events: `seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, workspace_id INTEGER NOT NULL,
    message_id TEXT NOT NULL, event TEXT NOT NULL, occurred_at INTEGER NOT NULL, link INTEGER, reason TEXT,
    stored_at INTEGER NOT NULL, webhooks TEXT)`,
  webhook_deliveries: `id TEXT PRIMARY KEY, webhook_id INTEGER NOT NULL, workspace_id INTEGER NOT NULL,
    message_id TEXT NOT NULL, event TEXT NOT NULL, occurred_at INTEGER NOT NULL, link INTEGER, reason TEXT,
    state TEXT NOT NULL, created_at INTEGER NOT NULL, queued_at INTEGER NOT NULL, allowed INTEGER NOT NULL,
    attempts TEXT NOT NULL, event_id TEXT, retry_at INTEGER) WITHOUT ROWID`,
  cursors: `consumer TEXT NOT NULL, topic TEXT NOT NULL, next INTEGER NOT NULL,
    PRIMARY KEY (consumer, topic)) WITHOUT ROWID`,
  operator_log: `id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    target TEXT NOT NULL, workspace_id INTEGER)`,
  directory: `kind TEXT NOT NULL, id TEXT NOT NULL, user TEXT, workspace_id INTEGER, expires_at INTEGER,
    version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
  parked: `id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, consumer TEXT NOT NULL, key TEXT NOT NULL,
    value TEXT NOT NULL, reason TEXT NOT NULL, parked_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1)`,
};

const LOG_TABLES: Record<string, string> = Object.fromEntries(
  TOPIC_NAMES.map((topic) => [
    logTable(topic),
    // AUTOINCREMENT: an offset is never reused, even after all earlier records were trimmed.
    `offset INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, value TEXT NOT NULL, at INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1, for_group TEXT)`,
  ]),
);

/** Every table: its name, and the text after `CREATE TABLE name (`. */
export const TABLES: Readonly<Record<string, string>> = { ...STORE_TABLES, ...LOG_TABLES };

/** Every index: its name, and the text after `ON`. Row ids grow in order of acceptance and implicitly end each key. */
export const INDEXES: Readonly<Record<string, string>> = {
  api_keys_of_workspace: 'api_keys (workspace_id)',
  smtp_logins_of_workspace: 'smtp_logins (workspace_id)',
  domains_of_workspace: 'domains (workspace_id, domain)',
  contacts_of_workspace: 'contacts (workspace_id)',
  contacts_by_hash: 'contacts (workspace_id, email_hash)',
  images_of_workspace: 'images (workspace_id, created_at DESC, id)',
  // The primary key implicitly ends both.
  suppressions_in_order: 'suppressions (workspace_id, created_at)',
  suppressions_by_reason: 'suppressions (workspace_id, reason, created_at)',
  audiences_of_workspace: 'audiences (workspace_id)',
  audiences_by_token: 'audiences (public_token)',
  audiences_of_contact: 'audience_members (contact_id)',
  engagement_of_contact: 'engagement (contact_id)',
  conversions_by_contact: 'conversions (contact_id, occurred_at) WHERE contact_id IS NOT NULL',
  conversions_by_message: 'conversions (message_id, occurred_at) WHERE message_id IS NOT NULL',
  conversions_linked: 'conversions (workspace_id, occurred_at) WHERE click_id IS NOT NULL',
  conversions_of_message: 'conversions (clicked_message_id, occurred_at) WHERE clicked_message_id IS NOT NULL',
  // With the amount in the key, the index alone gives the revenue of a campaign or journey.
  conversions_of_campaign: 'conversions (campaign_id, occurred_at, id, amount) WHERE campaign_id IS NOT NULL',
  conversions_of_journey: 'conversions (journey_id, occurred_at, id, amount) WHERE journey_id IS NOT NULL',
  campaigns_of_workspace: 'campaigns (workspace_id)',
  campaigns_asked: `campaigns (workspace_id) WHERE status = 'draft' AND approval IS NOT NULL`,
  campaigns_unlisted: 'campaigns (audience_id) WHERE expanded = 0 AND sent_at IS NOT NULL',
  journeys_of_workspace: 'journeys (workspace_id)',
  // The version is part of the key, so that the index alone tells what a contact enters.
  journeys_by_trigger: `journeys (workspace_id, trigger_type, audience_id, version) WHERE status = 'active'`,
  enrollment_steps_of_message: 'enrollment_steps (message_id) WHERE message_id IS NOT NULL',
  enrollments_of_contact: 'enrollments (contact_id)',
  enrollments_of_workspace: 'enrollments (workspace_id)',
  journey_posts_in_order: 'journey_posts (journey_id, created_at)',
  journey_posts_of_contact: 'journey_posts (contact_id)',
  journey_posts_of_workspace: 'journey_posts (workspace_id)',
  journey_posts_by_age: `journey_posts (created_at) WHERE state <> 'waiting'`,
  enrollments_due: 'enrollments (due_at) WHERE due_at IS NOT NULL',
  webhooks_of_workspace: 'webhooks (workspace_id)',
  webhook_events_feed: 'webhook_events (workspace_id)',
  deliveries_of_webhook: 'webhook_deliveries (webhook_id)',
  deliveries_by_state: 'webhook_deliveries (webhook_id, state, event)',
  deliveries_of_message: 'webhook_deliveries (message_id)',
  deliveries_of_workspace: 'webhook_deliveries (workspace_id)',
  // With the status in the key, a list by status can skip other rows. A change of status moves an entry within its
  // page.
  messages_in_order: 'messages (workspace_id, seq, status)',
  // The index alone finds and counts messages by time and channel, also those of one status.
  messages_by_time: 'messages (workspace_id, created_at, seq, channel, status)',
  messages_of_contact: 'messages (contact_id)',
  looks_in_order: 'looks (shard, at)',
  messages_queued: `messages (workspace_id, lane, due_at) WHERE status = 'queued'`,
  messages_held: 'messages (held_for, due_at) WHERE held_for IS NOT NULL',
  messages_backlog: `messages (due_at) WHERE status = 'sending' AND fenced_at IS NULL`,
  messages_deadline: `messages (status, due_at) WHERE status IN ('sending', 'sent_to_mta')`,
  messages_holding_attachments: `messages (attachments_until) WHERE attachments_until IS NOT NULL`,
  // Messages of a campaign by status, those on hold last. A test mail of a campaign is in another lane.
  messages_of_campaign: `messages (campaign_id, status, due_at) WHERE lane = 'campaign' AND campaign_id IS NOT NULL`,
  messages_complained: `messages (campaign_id, status) WHERE complained_at IS NOT NULL AND lane = 'campaign' AND campaign_id IS NOT NULL`,
  messages_complained_by_time: 'messages (workspace_id, created_at, seq) WHERE complained_at IS NOT NULL',
  messages_refused: `messages (refused_class, refused_at) WHERE refused_class IS NOT NULL`,
  messages_full: `messages (contact_id, refused_at) WHERE refused_class = 'mailbox_full'`,
  messages_hard: `messages (campaign_id, complained_at) WHERE hard_bounced_at IS NOT NULL AND lane = 'campaign' AND campaign_id IS NOT NULL`,
  directory_of_user: 'directory (user, kind) WHERE user IS NOT NULL',
  directory_of_workspace: 'directory (workspace_id, kind) WHERE workspace_id IS NOT NULL',
  directory_by_expiry: 'directory (expires_at) WHERE expires_at IS NOT NULL',
  unread_by_time: 'unread_reports (last_at)',
  attempts_of_workspace: 'attempts (workspace_id, claimed_at)',
  ledger_of_workspace: 'ledger (workspace_id)',
  // The primary key implicitly ends each of these keys, so entries are in order of id.
  due_tasks_ready: 'due_tasks (kind, ready_at) WHERE ready_at IS NOT NULL',
  due_tasks_of_lane: 'due_tasks (kind, lane, ready_at) WHERE ready_at IS NOT NULL',
  due_tasks_given_up: 'due_tasks (kind) WHERE given_up_at IS NOT NULL',
  signals_by_kind: 'signals (message_id, kind, at)',
  // Clicks only.
  signals_of_contact: 'signals (contact_id, at) WHERE contact_id IS NOT NULL',
  signals_of_people: 'signals (message_id, kind, at) WHERE machine IS NULL',
};
export const UNIQUE_INDEXES: Readonly<Record<string, string>> = {
  contacts_by_email: 'contacts (workspace_id, email)',
  templates_by_name: 'templates (workspace_id, name)',
  conversions_by_order: 'conversions (workspace_id, order_id) WHERE order_id IS NOT NULL',
  conversions_by_erased_order: 'conversions (workspace_id, order_hash) WHERE order_hash IS NOT NULL',
  enrollments_by_contact: 'enrollments (journey_id, contact_id)',
  webhook_events_by_id: 'webhook_events (workspace_id, id)',
};

const statements = (kind: string, named: Readonly<Record<string, string>>, glue: string): string[] =>
  Object.entries(named).map(([name, rest]) => `CREATE ${kind} IF NOT EXISTS ${name} ${glue}${rest}`);

/** Counts older messages as MessageCounts and `noteOpened` count new ones. */
export const COUNT_BY_HOUR: readonly string[] = [
  `INSERT INTO opened_messages SELECT m.workspace_id, m.created_at, m.seq, max(s.kind = 'click'), max(s.machine IS NULL),
     max(s.kind = 'click' AND s.machine IS NULL)
   FROM signals s JOIN messages m ON m.id = s.message_id JOIN contacts c ON c.id = m.contact_id AND c.workspace_id = m.workspace_id
   WHERE s.kind IN ('open', 'click') GROUP BY m.seq`,
  `INSERT INTO message_hours SELECT m.workspace_id, m.created_at - m.created_at % 3600000, sum(m.status = 'queued'),
     sum(m.status = 'sending'), sum(m.status = 'sent_to_mta'), sum(m.status = 'delivered'), sum(m.status = 'bounced'),
     sum(m.status = 'failed'), count(o.seq), total(o.clicked), total(o.opened_by_people), total(o.clicked_by_people)
   FROM messages m LEFT JOIN opened_messages o
     ON o.workspace_id = m.workspace_id AND o.created_at = m.created_at AND o.seq = m.seq
   GROUP BY 1, 2`,
];

/** The file as this program needs it. */
export const SCHEMA: FileSchema = {
  version: SCHEMA_VERSION,
  tables: statements('TABLE', TABLES, '('),
  indexes: [...statements('INDEX', INDEXES, 'ON '), ...statements('UNIQUE INDEX', UNIQUE_INDEXES, 'ON ')],
  steps: [
    {
      to: 3,
      statements: [
        ...addedColumns('campaigns', CAMPAIGN_FIELDS, 'blocks', 'approval'),
        'ALTER TABLE workspaces ADD COLUMN campaign_approval INTEGER NOT NULL DEFAULT 0',
      ],
    },
    {
      to: 4,
      statements: [
        'ALTER TABLE domains ADD COLUMN dkim_pending TEXT',
        "ALTER TABLE domains ADD COLUMN dkim_retired TEXT NOT NULL DEFAULT '[]'",
      ],
    },
    { to: 6, statements: COUNT_BY_HOUR },
    { to: 7, statements: addedColumns('messages', MESSAGE_FIELDS, 'attachmentCount') },
    { to: 9, statements: ["ALTER TABLE workspaces ADD COLUMN rates TEXT NOT NULL DEFAULT '[]'"] },
    { to: 10, statements: addedColumns('messages', MESSAGE_FIELDS, 'heldFor') },
    { to: 11, statements: ["ALTER TABLE workspaces ADD COLUMN unconfirmed TEXT NOT NULL DEFAULT 'fail'"] },
    { to: 12, statements: addedColumns('messages', MESSAGE_FIELDS, 'thread') },
    { to: 13, statements: ['ALTER TABLE contact_consents ADD COLUMN given_by TEXT'] },
  ],
};
