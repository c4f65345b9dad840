import type { NamedFile } from '../lib/file-fault';
import type { FileNames, FileSchema } from '../lib/file-schema';

const TABLES = {
  mails: `id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, message_id TEXT, envid TEXT, mail_from TEXT NOT NULL,
    recipients TEXT NOT NULL, ret TEXT, header_from TEXT NOT NULL, subject TEXT NOT NULL, size INTEGER NOT NULL,
    deleted_at INTEGER)`,
  sources: 'mail INTEGER PRIMARY KEY, headers BLOB NOT NULL, body BLOB NOT NULL)',
  tries: 'name TEXT PRIMARY KEY, count INTEGER NOT NULL, first_at INTEGER NOT NULL) WITHOUT ROWID',
  reports: `id INTEGER PRIMARY KEY, mail INTEGER NOT NULL, recipient INTEGER NOT NULL, kind TEXT NOT NULL,
    status TEXT NOT NULL, diagnostic TEXT NOT NULL, wait INTEGER NOT NULL, follows INTEGER, state TEXT NOT NULL,
    tries INTEGER NOT NULL, due_at INTEGER, done_at INTEGER, reply TEXT)`,
  // Whose file it is. `since`: mails that were handed over before are not in it, because the file was made or emptied
  // then; null: it has every mail. `last_mail` and `last_report` were the last ids when it was emptied, so that no id
  // is used twice. A deleted mail keeps its row for the same reason, and the audit still knows that it was received;
  // `deleted` counts them.
  installation: `one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT, since INTEGER, last_mail INTEGER NOT NULL,
    last_report INTEGER NOT NULL, deleted INTEGER NOT NULL)`,
  // The requests that hooks received. `webhook_id` is the header, `subscription` the webhook it verified for. Of a
  // request that does not verify, only the beginning is kept; `size` is that of the whole body; null: it is whole.
  hook_requests: `id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, received_at INTEGER NOT NULL,
    subscription INTEGER, webhook_id TEXT, attempt INTEGER NOT NULL, event TEXT, message_id TEXT,
    service_signature TEXT NOT NULL, standard_signature TEXT NOT NULL, is_verified INTEGER NOT NULL, answer INTEGER,
    headers TEXT NOT NULL, body BLOB NOT NULL, size INTEGER)`,
  // `name` is the message and its recipient.
  refusals: `id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, recipient TEXT NOT NULL,
    mail_from TEXT NOT NULL, envid TEXT, reason TEXT NOT NULL, tries INTEGER NOT NULL, first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL)`,
};

const INDEXES = {
  mails_by_message: 'mails (message_id)',
  mails_by_envid: 'mails (envid)',
  reports_by_mail: 'reports (mail)',
  reports_owed: `reports (due_at, id) WHERE state = 'owed'`,
  hook_requests_by_name: 'hook_requests (name, id, received_at, is_verified)',
  hook_requests_by_webhook_id: 'hook_requests (name, webhook_id, attempt)',
  hook_requests_by_verdict: 'hook_requests (is_verified, id)',
};

/** The sandbox's file as this program needs it. */
export const SCHEMA: FileSchema = {
  version: 1,
  tables: Object.entries(TABLES).map(([name, body]) => `CREATE TABLE IF NOT EXISTS ${name} (${body}`),
  indexes: [
    ...Object.entries(INDEXES).map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`),
    'INSERT OR IGNORE INTO installation (one, id, since, last_mail, last_report, deleted) VALUES (1, NULL, NULL, 0, 0, 0)',
  ],
  steps: [],
};

/** The sandbox's file, for a sentence about what is wrong with it. */
export const sandboxFile = (path: string): NamedFile => ({
  path,
  what: 'The sandbox file',
  remedy:
    'it contains only what the sandbox received: move it away with its -wal and -shm files; the next start creates a new one',
});

/** The file in errors about its schema. */
export const NAMES: FileNames = {
  what: 'The sandbox file',
  instead: 'delete it (sandbox.sqlite); the sandbox creates a new one',
};
