import type { LogView } from '../../../streams/log-view';
import { PREMIUM_PER_MINUTE } from '../../../domain/queue/send-rate';
import type { SettingName } from '../../ports/settings-store';
import type { AuditSource } from '../../ports/audit-source';
import { UnavailableError } from '../../../lib/errors';
import { openMongo, type Mongo, type MongoOptions } from '../database/client';
import { SCHEMA_VERSION } from '../database/collections';
import { documents } from '../database/documents';
import { refuseNewer } from '../database/schema-step';
import { guarded } from '../transactions/guard';
import { findStrays, missingIds, nextWorkspaces, platformDays, readPositions } from './installation';
import { readStates } from './message-pages';
import { inSnapshot } from '../transactions/snapshot';
import { readAliveUntil, workspaceSnapshot } from './workspace-snapshot';

/** The limit for sorts and scans over a large workspace, ms of real time. */
const ANSWER = 5 * 60_000;

/**
 * MongoDB driver of AuditSource, with its own client. `log` is the running event log, and is not closed. A snapshot is
 * a session that reads at one moment, so the service keeps writing. Rejects with UnavailableError and a SchemaError.
 */
export async function openMongoAudit(options: MongoOptions, log: LogView): Promise<AuditSource> {
  const mongo = await openMongo({ answerMS: ANSWER, ...options });
  try {
    await checkVersion(mongo);
  } catch (error) {
    await mongo.close();
    throw error;
  }
  return guarded<AuditSource>(
    {
      installation: async () => ({
        id: await readSetting<string>(mongo, 'installation_id'),
        aliveUntil: await readAliveUntil(mongo),
        premiumPerMinute: Math.max(PREMIUM_PER_MINUTE, (await readSetting<number>(mongo, 'premium_per_minute')) ?? 0),
      }),
      messageCount: () => documents(mongo.db, 'messages').estimatedDocumentCount(),
      workspaces: (after, limit) => nextWorkspaces(mongo, after, limit),
      workspace: async (workspaceId, work) => {
        const before = await log.groupPositions();
        return inSnapshot(mongo, async (snapshot) => {
          const after = await log.groupPositions();
          return work(workspaceSnapshot(snapshot, log, { before, after }, workspaceId));
        });
      },
      platformDays: () => platformDays(mongo),
      strays: (limit) => findStrays(mongo, limit),
      positions: () => readPositions(log),
      find: (ids) => readStates(mongo, ids),
      missing: (ids) => missingIds(mongo, ids),
      close: () => mongo.close(),
    },
    null,
  );
}

async function readSetting<T>({ db }: Mongo, name: SettingName): Promise<T | null> {
  const setting = await documents(db, 'settings').findOne({ _id: name });
  return setting ? (JSON.parse(setting.value) as T) : null;
}

async function checkVersion({ db }: Mongo): Promise<void> {
  const found = await refuseNewer(db);
  if (found < SCHEMA_VERSION) {
    throw new UnavailableError(
      `The database ${db.databaseName} has schema version ${found}, this program reads ${SCHEMA_VERSION}: start the service once.`,
    );
  }
}
