import type { DayRecord } from '../../../domain/audit/check-days';
import { PREMIUM_PER_MINUTE } from '../../../domain/queue/send-rate';
import type { AuditSource } from '../../ports/audit-source';
import type { SettingName } from '../../ports/settings-store';
import { findStrays, readPositions } from './installation';
import { readStates } from './message-pages';
import { ReadOnlyFile } from './read-only-file';
import { readAliveUntil, workspaceSnapshot } from './workspace-snapshot';

/** Tables that name a workspace and have an index on it. Day counters are checked against those of the platform. */
const NAMING = [
  ...['messages', 'ledger', 'balances', 'attempts', 'idempotency', 'gates', 'engagement', 'conversions'],
  ...['webhook_events', 'webhook_deliveries', 'enrollments', 'journey_posts'],
];
const NEXT_WORKSPACE = [
  'SELECT min(id) AS id FROM workspaces WHERE id > ?1',
  ...NAMING.map((table) => `SELECT min(workspace_id) FROM ${table} WHERE workspace_id > ?1`),
].join(' UNION ALL ');

/**
 * Embedded driver of AuditSource, on its own connection. A snapshot is a read transaction: the service goes on writing,
 * and its write-ahead log can be checkpointed again when the workspace is done. Throws UnavailableError and a
 * SchemaError.
 */
export function openAuditSource(path: string): AuditSource {
  const file = new ReadOnlyFile(path);
  return {
    installation: async () => ({
      id: readSetting<string>(file, 'installation_id'),
      aliveUntil: readAliveUntil(file),
      premiumPerMinute: Math.max(PREMIUM_PER_MINUTE, readSetting<number>(file, 'premium_per_minute') ?? 0),
    }),
    messageCount: async () => file.get<{ n: number }>('SELECT count(*) AS n FROM messages')!.n,
    workspaces: async (after, limit) => nextWorkspaces(file, after, limit),
    workspace: async (workspaceId, work) => {
      file.hold();
      try {
        return await work(workspaceSnapshot(file, workspaceId));
      } finally {
        file.release();
      }
    },
    platformDays: async () =>
      file.all<DayRecord>(
        `SELECT day, sum(iif(workspace_id = 0, claims, 0)) AS platform, sum(iif(workspace_id = 0, 0, claims)) AS workspaces
         FROM send_days GROUP BY day`,
      ),
    strays: async (limit) => findStrays(file, limit),
    positions: async () => readPositions(file),
    find: async (ids) => readStates(file, ids),
    missing: async (ids) =>
      file
        .all<{ id: string }>(
          `SELECT value AS id FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = value)`,
          JSON.stringify(ids),
        )
        .map(({ id }) => id),
    close: async () => file.close(),
  };
}

function readSetting<T>(file: ReadOnlyFile, name: SettingName): T | null {
  const row = file.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
  return row ? (JSON.parse(row.value) as T) : null;
}

/** Steps from workspace to workspace through the indexes. */
function nextWorkspaces(file: ReadOnlyFile, after: number, limit: number): number[] {
  const found: number[] = [];
  for (let last = after; found.length < limit;) {
    const next = file.get<{ id: number | null }>(`SELECT min(id) AS id FROM (${NEXT_WORKSPACE})`, last)?.id;
    if (next == null) break;
    found.push(next);
    last = next;
  }
  return found;
}
