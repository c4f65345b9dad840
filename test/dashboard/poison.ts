import { DatabaseSync } from '@photostructure/sqlite';

/** What an attacker writes into a field, with the name of the field: it must come out as this very text. */
export const payload = (field: string): string =>
  `[${field}]\u202e\u200b"'><img data-evil src=x onerror="evil('${field}')"><script data-evil>evil('${field}')</script>` +
  `</textarea></title><svg data-evil onload="evil('${field}')">\${191*7}<%= 191*7 %>{{191*7}}`;
/** What it would be if a template had read it. */
export const READ_AS_TEMPLATE = String(191 * 7);

/** Tables that no screen reads text from. */
const INNER = /^(?:sqlite_|log_|settings$|cursors$|leases$|due_tasks$|idempotency$|gates$|send_days$|list_blocks$)/;
/** Columns whose text the program chose, or that something else is found by. */
const CHOSEN = new Set([
  ...['id', 'kind', 'type', 'state', 'status', 'user', 'key', 'topic', 'consumer', 'reason_class', 'fence', 'history'],
  ...['scopes', 'hash', 'sealed', 'language', 'username', 'domain', 'dkim_selector', 'dkim_key_sealed', 'category'],
  ...[
    'rates',
    'dkim_pending',
    'dkim_retired',
    'email_hash',
    'address_hash',
    'recipient_hash',
    'order_hash',
    'secret_sealed',
  ],
  ...['public_token', 'opt_in_mode', 'redirect_hosts', 'form_brake', 'message_id', 'channel', 'lane', 'reopenable'],
  ...['refused_class', 'outcome', 'url', 'event_types', 'event', 'event_id', 'webhooks', 'enrollment_id', 'machine'],
  ...[
    'click_id',
    'clicked_message_id',
    'trigger_type',
    'marks',
    'goal',
    'network',
    'value',
    'content_type',
    'token',
    'variables',
  ],
]);
/** Parts of JSON that hold what somebody wrote. */
const WRITTEN = new Set(['name', 'text', 'subject', 'html', 'label', 'alt', 'by', 'reply', 'answer', 'error', 'agent']);
for (const name of ['address', 'createdBy', 'changedBy', 'preheader']) WRITTEN.add(name);
/** Columns of JSON, which stay null where they are. */
const JSON_COLUMNS = new Set(['approval', 'blocks', 'attempts', 'urls', 'steps', 'body', 'thread']);
const ADDRESSES = new Set(['email', 'recipient', 'from_email', 'reply_to']);

const isJson = (text: string): boolean => /^[[{]/.test(text) && !/^\[[^"{]*\]$/.test(text);

function poisonJson(value: unknown, field: string, key: string): unknown {
  if (Array.isArray(value)) return value.map((one) => poisonJson(one, field, key));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisonJson(one, field, name)]));
  }
  if (key === 'url' || key === 'urls') return `javascript:evil('${field}')`;
  if (typeof value !== 'string' || !WRITTEN.has(key)) return value;
  // The file of a draft.
  return key === 'text' && isJson(value)
    ? JSON.stringify(poisonJson(JSON.parse(value), field, key))
    : payload(`${field}.${key}`);
}

function poisoned(field: string, column: string, held: string | null): string | null {
  if (held === null && JSON_COLUMNS.has(column)) return null;
  if (column === 'metadata') return JSON.stringify({ [payload(`${field}.key`)]: payload(field) });
  if (held !== null && isJson(held)) return JSON.stringify(poisonJson(JSON.parse(held), field, column));
  return ADDRESSES.has(column) ? `${payload(field)}@evil.example` : payload(field);
}

/** Rows of tables that stay empty otherwise. */
const MORE: readonly string[] = [
  "INSERT INTO operator_log (at, actor, action, target, workspace_id) VALUES (1, '', '', '', 1)",
  "INSERT INTO parked (topic, consumer, key, value, reason, parked_at, version) VALUES ('mta.feedback', 'feedback', 'x', '{}', '', 1, 1)",
  "INSERT INTO unread_reports (id, text, first_at, last_at, count) VALUES ('1', '', 1, 1, 1)",
  "INSERT INTO attachments (seq, n, filename, content_type, content) SELECT seq, 1, '', 'text/html', x'3c' FROM messages",
  `UPDATE campaigns SET blocks = json_insert(blocks, '$[#]', json('{"kind":"image","url":"x","alt":"","link":null}'))`,
];

/**
 * Writes what an attacker would into every field of a database that somebody outside may fill, and into those that
 * others fill as well. A field that is new is poisoned too, unless it is listed as chosen by the program.
 */
export function poison(file: string): void {
  const db = new DatabaseSync(file);
  for (const line of MORE) db.exec(line);
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  for (const { name } of tables.filter((one) => !INNER.test(one.name))) {
    const columns = db.prepare(`PRAGMA table_info("${name}")`).all() as { name: string; type: string }[];
    for (const column of columns.filter((one) => one.type === 'TEXT' && !CHOSEN.has(one.name))) {
      const rows = db.prepare(`SELECT DISTINCT "${column.name}" AS held FROM "${name}"`).all();
      const write = db.prepare(`UPDATE OR IGNORE "${name}" SET "${column.name}" = ? WHERE "${column.name}" IS ?`);
      for (const { held } of rows as { held: string | null }[]) {
        write.run(poisoned(`${name}.${column.name}`, column.name, held), held);
      }
    }
  }
  db.close();
}
