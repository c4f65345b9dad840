import type { Document } from 'mongodb';
import type { LogView } from '../../../streams/log-view';
import { GROUPS, type GroupTable } from '../../../streams/topics';
import type { SettingName } from '../../ports/settings-store';
import type { AuditRows, AuditSnapshot, AuditSource } from '../../ports/audit-source';
import { UnavailableError } from '../../../lib/errors';
import { openMongo, type Mongo, type MongoOptions } from '../database/client';
import { SCHEMA_VERSION } from '../database/collections';
import { documents, fromDocument } from '../database/documents';
import { refuseNewer } from '../database/schema-step';
import { POSTS_TRIMMED_BEFORE } from '../journeys/journey-posts';
import { guard, guarded } from '../transactions/guard';
import { inSnapshot, pages, type Snapshot } from '../transactions/snapshot';
import { TRIMMED_BEFORE } from '../webhooks/delivery-fields';
import { SOURCES } from './collections';
import { pendingRecords } from './pending-records';

/** The limit for sorts and scans over a large workspace, ms of real time. */
const ANSWER = 5 * 60_000;
const PAGE = 500;
/** Collections that name a workspace and have an index on it. */
const NAMING = [
  ...(['messages', 'ledger', 'gates', 'sendDays', 'engagement'] as const),
  ...(['webhookEvents', 'webhookDeliveries', 'enrollments', 'journeyPosts'] as const),
];

/**
 * MongoDB driver of AuditSource, with its own client. `log` is the running event log, and is not closed. A snapshot is
 * a session that reads at one moment, so the service keeps writing. Rejects with UnavailableError and a SchemaError.
 */
export async function openMongoAudit(options: MongoOptions, log: LogView): Promise<AuditSource> {
  return mongoAudit(await openMongo({ answerMS: ANSWER, ...options }), log);
}

/** The same on a client, which it closes. */
export async function mongoAudit(mongo: Mongo, log: LogView): Promise<AuditSource> {
  try {
    await checkVersion(mongo);
  } catch (error) {
    await mongo.close();
    throw error;
  }
  const kept = {
    blockLevels: { contacts: 1, members: 1, messages: 0 },
    everyHour: false,
    lastActivity: true,
    ledgerNumbers: true,
  } as const;
  const source = guarded<Omit<AuditSource, 'kept'>>(
    {
      snapshot: (work) => inSnapshot(mongo, (snapshot) => work(snapshotOf(snapshot))),
      snapshotWithLog: async (work) => {
        const before = await log.groupPositions();
        return inSnapshot(mongo, async (snapshot) => {
          const around = { before, after: await log.groupPositions() };
          return work({
            ...snapshotOf(snapshot),
            pending: (group, topic, key) => pendingRecords(snapshot, log, around, { group, topic }, key),
          });
        });
      },
      messageCount: () => documents(mongo.db, 'messages').estimatedDocumentCount(),
      nextWorkspace: (after) => nextWorkspace(mongo, after),
      positions: () => readPositions(log),
      close: () => mongo.close(),
    },
    null,
  );
  return { ...source, kept };
}

const snapshotOf = (snapshot: Snapshot): AuditSnapshot => ({
  scan: (name, owner) => {
    const { filter, sort } = SOURCES[name].scan as { filter: (of: typeof owner) => Document; sort?: Record<string, 1> };
    return read(snapshot, name, filter(owner), sort);
  },
  find: (name, by, keys) => {
    const finds = SOURCES[name].find as unknown as Record<typeof by, (of: typeof keys) => Document>;
    return read(snapshot, name, finds[by](keys));
  },
  settings: async () => ({
    installationId: await readSetting(snapshot, 'installation_id'),
    deliveriesTrimmedBefore: await readCounter(snapshot, TRIMMED_BEFORE),
    postsTrimmedBefore: await readCounter(snapshot, POSTS_TRIMMED_BEFORE),
  }),
});

async function* read<N extends keyof AuditRows>(
  { db, moment }: Snapshot,
  name: N,
  filter: Document,
  sort?: Record<string, 1>,
): AsyncGenerator<AuditRows[N][]> {
  const { from, fields, decode } = SOURCES[name];
  const options = { ...moment, batchSize: PAGE, ...(fields && { projection: fields }), ...(sort && { sort }) };
  const found = db.collection<{ _id: string }>(from).find(filter, options);
  for await (const page of pages(found, PAGE)) {
    yield page.flatMap((document) => (decode ? decode(document as never) : (fromDocument(document) as never)));
  }
}

async function readSetting<T>({ db, moment }: Snapshot, name: SettingName): Promise<T | null> {
  const setting = await guard(() => documents(db, 'settings').findOne({ _id: name }, moment));
  return setting ? (JSON.parse(setting.value) as T) : null;
}

const readCounter = async ({ db, moment }: Snapshot, name: string): Promise<number | null> =>
  (await guard(() => documents(db, 'counters').findOne({ _id: name }, moment)))?.last ?? null;

async function checkVersion({ db }: Mongo): Promise<void> {
  const found = await refuseNewer(db);
  if (found < SCHEMA_VERSION) {
    throw new UnavailableError(
      `The database ${db.databaseName} has schema version ${found}, but this release reads ${SCHEMA_VERSION}: start the service once.`,
    );
  }
}

/** Each collection is asked through its index. */
async function nextWorkspace({ db }: Mongo, after: number): Promise<number | null> {
  const next = async (name: string, field: string): Promise<number | undefined> => {
    const options = { projection: { [field]: 1 }, sort: { [field]: 1 as const } };
    return (await db.collection<Document>(name).findOne({ [field]: { $gt: after } }, options))?.[field] as number;
  };
  const ids = await Promise.all([
    ...['workspaces', 'accounts'].map((name) => next(name, '_id')),
    ...NAMING.map((name) => next(name, 'workspaceId')),
  ]);
  const known = ids.filter((id) => typeof id === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

/** Each entry holds a group's position as it was before the end of its log was read, since the log only grows. */
async function readPositions(log: LogView) {
  const groups: GroupTable = GROUPS;
  return (await log.groupPositions()).flatMap(({ group, topic, partition, next, newest }) => {
    if (next === null || newest < 0) return [];
    return [{ group, ...(groups[group].topics.length > 1 && { topic }), partition, next, newest }];
  });
}
