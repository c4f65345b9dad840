import { TOPIC_NAMES, type TopicName } from '../../../streams/topics';

/** Grows with every change of the tables. A data dir written by a newer program is refused. */
export const SCHEMA_VERSION = 3;

/** The table of a topic. One B-tree per topic, so an append is one insert. */
export const logTable = (topic: TopicName): string => `log_${topic.replaceAll(/[^a-z]/g, '_')}`;

const STORE_TABLES: Record<string, string> = {
  settings: 'name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  workspaces: `id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, suspended INTEGER NOT NULL,
    email_module INTEGER NOT NULL, business_name TEXT NOT NULL, business_address TEXT NOT NULL,
    track_conversions INTEGER NOT NULL, created_at INTEGER NOT NULL)`,
  api_keys: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL, revoked_at INTEGER, created_at INTEGER NOT NULL)`,
  smtp_logins: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, username TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL, sealed TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  domains: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, domain TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL, dkim_selector TEXT NOT NULL, dkim_key_sealed TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  contacts: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, email TEXT NOT NULL,
    email_hash TEXT NOT NULL, name TEXT, status TEXT NOT NULL, subscribed_at INTEGER, unsubscribed_at INTEGER,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
  anonymising: `contact_id INTEGER PRIMARY KEY, workspace_id INTEGER NOT NULL, email TEXT NOT NULL, email_hash TEXT NOT NULL,
    name TEXT, after_seq INTEGER NOT NULL)`,
  list_blocks: `list TEXT NOT NULL, owner INTEGER NOT NULL, level INTEGER NOT NULL, block INTEGER NOT NULL,
    n INTEGER NOT NULL, PRIMARY KEY (list, owner, level, block)) WITHOUT ROWID`,
  message_blocks: `workspace_id INTEGER NOT NULL, level INTEGER NOT NULL, block INTEGER NOT NULL, queued INTEGER NOT NULL,
    sending INTEGER NOT NULL, sent_to_mta INTEGER NOT NULL, delivered INTEGER NOT NULL, bounced INTEGER NOT NULL,
    failed INTEGER NOT NULL, PRIMARY KEY (workspace_id, level, block)) WITHOUT ROWID`,
  audiences: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, description TEXT,
    public_token TEXT NOT NULL, opt_in_mode TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    contacts_count INTEGER NOT NULL)`,
  audience_members: `audience_id INTEGER NOT NULL, contact_id INTEGER NOT NULL, joined_at INTEGER NOT NULL,
    confirmed_at INTEGER, PRIMARY KEY (audience_id, contact_id)) WITHOUT ROWID`,
  suppressions: `workspace_id INTEGER NOT NULL, address_hash TEXT NOT NULL, reason TEXT NOT NULL, message_id TEXT,
    created_at INTEGER NOT NULL, PRIMARY KEY (workspace_id, address_hash, reason)) WITHOUT ROWID`,
  messages: `seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id INTEGER NOT NULL, contact_id INTEGER NOT NULL,
    domain_id INTEGER NOT NULL, channel TEXT NOT NULL, lane TEXT NOT NULL, campaign_id INTEGER, recipient TEXT,
    recipient_text TEXT, subject TEXT NOT NULL, from_email TEXT NOT NULL, from_name TEXT NOT NULL, reply_to TEXT,
    metadata TEXT, created_at INTEGER NOT NULL, status TEXT NOT NULL, failed_reason TEXT, dispatched_at INTEGER,
    due_at INTEGER, attempt INTEGER NOT NULL, first_claimed_at INTEGER, fence TEXT, fenced_at INTEGER,
    unknown INTEGER NOT NULL, reopenable TEXT, complained_at INTEGER, attachments_until INTEGER, version INTEGER NOT NULL,
    history TEXT NOT NULL, recipient_hash TEXT)`,
  bodies: 'seq INTEGER PRIMARY KEY, html TEXT NOT NULL, text TEXT)',
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
  leases: 'name TEXT PRIMARY KEY, owner TEXT, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID',
  due_tasks: `kind TEXT NOT NULL, id TEXT NOT NULL, workspace_id INTEGER NOT NULL, lane TEXT NOT NULL, due_at INTEGER NOT NULL,
    payload TEXT NOT NULL, attempt INTEGER NOT NULL, ready_at INTEGER, token TEXT, reason TEXT, given_up_at INTEGER,
    PRIMARY KEY (kind, id)) WITHOUT ROWID`,
  signals: `id TEXT PRIMARY KEY, message_id TEXT NOT NULL, workspace_id INTEGER NOT NULL, kind TEXT NOT NULL,
    at INTEGER NOT NULL, link INTEGER) WITHOUT ROWID`,
  engagement: `workspace_id INTEGER NOT NULL, hour INTEGER NOT NULL, contact_id INTEGER NOT NULL, opened INTEGER NOT NULL,
    clicked INTEGER NOT NULL, clicks INTEGER NOT NULL, last_at INTEGER,
    PRIMARY KEY (workspace_id, hour, contact_id)) WITHOUT ROWID`,
  conversions: `id TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL, amount INTEGER NOT NULL, message_id TEXT,
    contact_id INTEGER, order_id TEXT, occurred_at INTEGER NOT NULL, received_at INTEGER NOT NULL) WITHOUT ROWID`,
  campaigns: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, audience_id INTEGER NOT NULL,
    domain_id INTEGER NOT NULL, subject TEXT NOT NULL, html TEXT, text TEXT, preheader TEXT, from_email TEXT, from_name TEXT,
    reply_to TEXT, status TEXT NOT NULL, scheduled_at INTEGER, sent_at INTEGER, recipients INTEGER, last_contact_id INTEGER,
    created_at INTEGER NOT NULL)`,
  journeys: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL,
    trigger_type TEXT NOT NULL, audience_id INTEGER, steps TEXT NOT NULL, goal TEXT, secret_sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL)`,
  enrollments: `id TEXT PRIMARY KEY, workspace_id INTEGER NOT NULL, journey_id INTEGER NOT NULL, contact_id INTEGER NOT NULL,
    step INTEGER NOT NULL, due_at INTEGER, goal_reached INTEGER NOT NULL, enrolled_at INTEGER NOT NULL) WITHOUT ROWID`,
  webhooks: `id INTEGER PRIMARY KEY AUTOINCREMENT, workspace_id INTEGER NOT NULL, url TEXT NOT NULL, event_types TEXT NOT NULL,
    secret_sealed TEXT NOT NULL, is_active INTEGER NOT NULL, created_at INTEGER NOT NULL)`,
  cursors: `consumer TEXT NOT NULL, topic TEXT NOT NULL, next INTEGER NOT NULL,
    PRIMARY KEY (consumer, topic)) WITHOUT ROWID`,
  operator_log: `id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
    target TEXT NOT NULL, workspace_id INTEGER)`,
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
  audiences_of_workspace: 'audiences (workspace_id)',
  audiences_of_contact: 'audience_members (contact_id)',
  engagement_of_contact: 'engagement (contact_id)',
  conversions_of_contact: 'conversions (contact_id) WHERE contact_id IS NOT NULL',
  campaigns_of_workspace: 'campaigns (workspace_id)',
  journeys_of_workspace: 'journeys (workspace_id)',
  enrollments_of_contact: 'enrollments (contact_id)',
  enrollments_due: 'enrollments (due_at) WHERE due_at IS NOT NULL',
  webhooks_of_workspace: 'webhooks (workspace_id)',
  // With the status in the key, a list by status can skip other rows. A change of status moves an entry within its
  // page.
  messages_in_order: 'messages (workspace_id, seq, status)',
  messages_of_contact: 'messages (contact_id)',
  messages_queued: `messages (workspace_id, lane, due_at) WHERE status = 'queued'`,
  messages_backlog: `messages (due_at) WHERE status = 'sending' AND fenced_at IS NULL`,
  messages_deadline: `messages (status, due_at) WHERE status IN ('sending', 'sent_to_mta')`,
  messages_holding_attachments: `messages (attachments_until) WHERE attachments_until IS NOT NULL`,
  attempts_of_workspace: 'attempts (workspace_id, claimed_at)',
  ledger_of_workspace: 'ledger (workspace_id)',
  // The primary key implicitly ends each of these keys, so entries are in order of id.
  due_tasks_ready: 'due_tasks (kind, ready_at) WHERE ready_at IS NOT NULL',
  due_tasks_of_lane: 'due_tasks (kind, lane, ready_at) WHERE ready_at IS NOT NULL',
  due_tasks_given_up: 'due_tasks (kind) WHERE given_up_at IS NOT NULL',
  signals_by_kind: 'signals (message_id, kind, at)',
};
export const UNIQUE_INDEXES: Readonly<Record<string, string>> = {
  contacts_by_email: 'contacts (workspace_id, email)',
  conversions_by_order: 'conversions (workspace_id, order_id) WHERE order_id IS NOT NULL',
  enrollments_by_contact: 'enrollments (journey_id, contact_id)',
};
