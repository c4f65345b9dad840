/** Version of the file's layout; an older file is migrated when it is opened. */
export const SCHEMA_VERSION = 5;

/** The tables of a new file, in the layout of version 1. */
const TABLES = `
CREATE TABLE mails (
  id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, message_id TEXT, envid TEXT, mail_from TEXT NOT NULL,
  recipients TEXT NOT NULL, ret TEXT, header_from TEXT NOT NULL, subject TEXT NOT NULL, size INTEGER NOT NULL
);
CREATE INDEX mails_by_message ON mails (message_id);
CREATE INDEX mails_by_envid ON mails (envid);
CREATE TABLE sources (mail INTEGER PRIMARY KEY, headers BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE tries (name TEXT PRIMARY KEY, count INTEGER NOT NULL, first_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE reports (
  id INTEGER PRIMARY KEY, mail INTEGER NOT NULL, recipient INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  diagnostic TEXT NOT NULL, wait INTEGER NOT NULL, follows INTEGER, state TEXT NOT NULL, tries INTEGER NOT NULL,
  due_at INTEGER, done_at INTEGER, reply TEXT
);
CREATE INDEX reports_by_mail ON reports (mail);
CREATE INDEX reports_owed ON reports (due_at, id) WHERE state = 'owed';
`;

/**
 * Version 2: whose file it is. `since`: mails that were handed over before are not in it, because the file was made or
 * emptied then; null: it has every mail. `last_mail` and `last_report` were the last ids when it was emptied, so that
 * no id is used twice.
 */
const INSTALLATION = `
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT, since INTEGER, last_mail INTEGER NOT NULL, last_report INTEGER NOT NULL
);
INSERT INTO installation (one, id, since, last_mail, last_report) VALUES (1, NULL, NULL, 0, 0);
`;

/**
 * Version 3: the requests that hooks received. `webhook_id` is the header, `subscription` the webhook it verified for.
 * No id is used twice.
 */
const HOOK_REQUESTS = `
CREATE TABLE hook_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, received_at INTEGER NOT NULL, subscription INTEGER,
  webhook_id TEXT, attempt INTEGER NOT NULL, event TEXT, message_id TEXT, service_signature TEXT NOT NULL,
  standard_signature TEXT NOT NULL, is_verified INTEGER NOT NULL, answer INTEGER, headers TEXT NOT NULL, body BLOB NOT NULL
);
CREATE INDEX hook_requests_by_name ON hook_requests (name, id, received_at, is_verified);
CREATE INDEX hook_requests_by_webhook_id ON hook_requests (name, webhook_id, attempt);
`;

/**
 * Version 4: mails may be deleted, and those that were refused are kept. A deleted mail keeps its row, so that no id is
 * used twice, and the audit still knows that it was received; `deleted` counts them. `name` is the message and its recipient.
 */
const DELETED_AND_REFUSED = `
ALTER TABLE mails ADD COLUMN deleted_at INTEGER;
ALTER TABLE installation ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
CREATE TABLE refusals (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, recipient TEXT NOT NULL, mail_from TEXT NOT NULL,
  envid TEXT, reason TEXT NOT NULL, tries INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL
);
`;

/** Version 5: of a request that does not verify, only the beginning is kept. `size` is that of the whole body; null: it is whole. */
const CUT_BODIES = `
ALTER TABLE hook_requests ADD COLUMN size INTEGER;
CREATE INDEX hook_requests_by_verdict ON hook_requests (is_verified, id);
`;

/** The SQL that brings a file of this version up; 0 is an empty file. */
export const migrationFrom = (found: number): string =>
  [
    found === 0 ? TABLES : '',
    found < 2 ? INSTALLATION : '',
    found < 3 ? HOOK_REQUESTS : '',
    found < 4 ? DELETED_AND_REFUSED : '',
    found < 5 ? CUT_BODIES : '',
    `PRAGMA user_version = ${SCHEMA_VERSION};`,
  ].join('');
