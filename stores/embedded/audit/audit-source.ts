import type { GroupPosition } from '../../../domain/audit/check-installation';
import type { StoredRecord } from '../../../streams/records';
import { GROUPS, namesOf, type GroupName, type GroupTable, type TopicName } from '../../../streams/topics';
import type { AuditRows, AuditSource, SnapshotWithLog } from '../../ports/audit-source';
import type { SettingName } from '../../ports/settings-store';
import { logTable } from '../database/schema';
import { POSTS_TRIMMED_BEFORE } from '../journeys/journey-posts';
import { LOG, toRecord } from '../log/read-rows';
import { TRIMMED_BEFORE } from '../webhooks/trim-deliveries';
import { ReadOnlyFile } from './read-only-file';
import { objectOf, TABLES } from './tables';

const PAGE = 500;

/** Tables that name a workspace and have an index on it. Day counters are checked against those of the platform. */
const NAMING = [
  ...['messages', 'ledger', 'balances', 'attempts', 'idempotency', 'gates', 'engagement', 'conversions'],
  ...['webhook_events', 'webhook_deliveries', 'enrollments', 'journey_posts'],
];
/** One step through each index. */
const NEXT_WORKSPACE = `SELECT min(id) AS id FROM (${[
  'SELECT min(id) AS id FROM workspaces WHERE id > ?1',
  ...NAMING.map((table) => `SELECT min(workspace_id) FROM ${table} WHERE workspace_id > ?1`),
].join(' UNION ALL ')})`;

/**
 * Embedded driver of AuditSource, on its own connection. A snapshot is a read transaction: the service goes on writing,
 * and its write-ahead log can be checkpointed again when the snapshot ends. Throws UnavailableError and a
 * SchemaError.
 */
export function openAuditSource(path: string): AuditSource {
  const file = new ReadOnlyFile(path);
  return {
    kept: {
      blockLevels: { contacts: 2, members: 2, messages: 2 },
      everyHour: true,
      lastActivity: false,
      ledgerNumbers: false,
    },
    snapshot: (work) => hold(file, work),
    snapshotWithLog: (work) => hold(file, work),
    messageCount: async () => file.get<{ n: number }>('SELECT count(*) AS n FROM messages')!.n,
    nextWorkspace: async (after) => file.get<{ id: number | null }>(NEXT_WORKSPACE, after)?.id ?? null,
    positions: async () => readPositions(file),
    close: async () => file.close(),
  };
}

async function hold<T>(file: ReadOnlyFile, work: (snapshot: SnapshotWithLog) => Promise<T>): Promise<T> {
  file.hold();
  try {
    return await work(snapshotOf(file));
  } finally {
    file.release();
  }
}

const snapshotOf = (file: ReadOnlyFile): SnapshotWithLog => ({
  scan: (name, owner) => stream(file, name, `${TABLES[name].from} WHERE ${TABLES[name].scan}`, owner),
  find: (name, by, keys) => {
    const condition = (TABLES[name].find as Readonly<Record<string, string>>)[by];
    const distinct = new Set(keys.map((one) => JSON.stringify(one)));
    const read = MANY.has(by) ? stream : readAtOnce;
    return read(
      file,
      name,
      `json_each(?) v CROSS JOIN ${TABLES[name].from} WHERE ${condition}`,
      `[${[...distinct].join()}]`,
    );
  },
  pending: (group, topic, key) => pendingRecords(file, { group, topic }, key),
  settings: async () => ({
    installationId: setting(file, INSTALLATION),
    deliveriesTrimmedBefore: setting(file, TRIMMED_BEFORE),
    postsTrimmedBefore: setting(file, POSTS_TRIMMED_BEFORE),
  }),
});

const INSTALLATION: SettingName = 'installation_id';

function setting<T>(file: ReadOnlyFile, name: string): T | null {
  const row = file.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
  return row ? (JSON.parse(row.value) as T) : null;
}

/** Keys that may have so many rows that these are read one by one. */
const MANY: ReadonlySet<string> = new Set(['contactId', 'campaignId']);

/** Each row is read as JSON: one value costs less than its fields. */
async function* stream<N extends keyof AuditRows>(
  file: ReadOnlyFile,
  name: N,
  from: string,
  value: string | number | null,
): AsyncGenerator<AuditRows[N][]> {
  const sql = `SELECT ${objectOf(TABLES[name].fields)} AS row FROM ${from}`;
  for (const page of file.pages<{ row: string }>(PAGE, sql, value)) {
    yield decode(name, `[${page.map(({ row }) => row).join()}]`);
  }
}

/** The same with all rows in one value, which costs least. */
async function* readAtOnce<N extends keyof AuditRows>(
  file: ReadOnlyFile,
  name: N,
  from: string,
  value: string,
): AsyncGenerator<AuditRows[N][]> {
  const sql = `SELECT json_group_array(${objectOf(TABLES[name].fields)}) AS rows FROM ${from}`;
  yield decode(name, file.get<{ rows: string }>(sql, value)!.rows);
}

function decode<N extends keyof AuditRows>(name: N, text: string): AuditRows[N][] {
  const rows = JSON.parse(text) as never[];
  const { decode: decodeRow } = TABLES[name];
  return decodeRow ? rows.map(decodeRow) : rows;
}

/** What follows the position of the group. */
async function* pendingRecords(
  file: ReadOnlyFile,
  { group, topic }: { group: GroupName; topic: TopicName },
  key?: string,
): AsyncGenerator<StoredRecord> {
  const next = positionOf(file, group, topic) ?? 0;
  const records = `${LOG[topic].selection} WHERE offset >= ? ORDER BY offset`;
  for (const page of file.pages<{ key: string }>(PAGE, records, next)) {
    for (const row of page) if (key === undefined || row.key === key) yield toRecord(topic, LOG[topic].fromRow(row));
  }
}

const positionOf = (file: ReadOnlyFile, group: GroupName, topic: TopicName): number | undefined =>
  file.get<{ next: number }>('SELECT next FROM cursors WHERE consumer = ? AND topic = ?', group, topic)?.next;

/** Reads the cursor first, since the log only grows. If all records of a log were trimmed, its end is unknown. */
function readPositions(file: ReadOnlyFile): GroupPosition[] {
  const groups: GroupTable = GROUPS;
  return namesOf(groups).flatMap((group) => {
    const { topics } = groups[group];
    return topics.flatMap((topic) => {
      const next = positionOf(file, group, topic);
      const { newest } = file.get<{ newest: number | null }>(`SELECT max(offset) AS newest FROM ${logTable(topic)}`)!;
      if (next === undefined || newest === null) return [];
      return [{ group, ...(topics.length > 1 && { topic }), next, newest }];
    });
  });
}
