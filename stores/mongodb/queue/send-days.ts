import type { ClientSession } from 'mongodb';
import type { ClaimRequest } from '../../ports/send-queue';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';

const ofWorkspace = (day: string, workspaceId: number): string => `${day}:${workspaceId}`;
const ofShard = (day: string, lease: string): string => `${day}:shard:${lease}`;
/** `;` follows `:`. */
const ofAllShards = (day: string) => ({ _id: { $gte: ofShard(day, ''), $lt: `${day}:shard;` } });

/** Claims of a WIB day, of a workspace or (null) of the platform; as of the session's snapshot when one is given. */
export async function claimsOn(
  { db }: Mongo,
  day: string,
  workspaceId: number | null,
  session?: ClientSession,
): Promise<number> {
  const days = documents(db, 'sendDays');
  const options = session ? { session } : {};
  if (workspaceId !== null) return (await days.findOne({ _id: ofWorkspace(day, workspaceId) }, options))?.claims ?? 0;
  const shards = await days.find(ofAllShards(day), { ...options, projection: { claims: 1 } }).toArray();
  return shards.reduce((sum, { claims }) => sum + claims, 0);
}

/** The claims so far, for caps that need them. The numbers hold until the transaction ends; otherwise it conflicts. */
export async function claimsForCaps(
  mongo: Mongo,
  session: ClientSession,
  { day, workspaceId, workspaceDayCap, platformDayCap }: ClaimRequest,
): Promise<{ own: number; platform: number }> {
  // The sum covers many documents, so only one claim that depends on it may be in progress.
  if (platformDayCap !== null) {
    await documents(mongo.db, 'sendDays').updateOne(
      { _id: `${day}:cap` },
      { $inc: { claims: 1 }, $setOnInsert: { day, workspaceId: null } },
      { session, upsert: true },
    );
  }
  const own = workspaceDayCap === null ? 0 : await claimsOn(mongo, day, workspaceId, session);
  const platform = platformDayCap === null ? 0 : await claimsOn(mongo, day, null, session);
  return { own, platform };
}

/** Counts claims for the day, in the transaction that makes them. */
export async function countClaims(
  { db }: Mongo,
  session: ClientSession,
  { day, workspaceId, lease }: ClaimRequest,
  claims: number,
): Promise<void> {
  const counters = [
    { _id: ofWorkspace(day, workspaceId), workspaceId },
    { _id: ofShard(day, lease.name), workspaceId: null },
  ];
  await documents(db, 'sendDays').bulkWrite(
    counters.map(({ _id, workspaceId: of }) => ({
      updateOne: {
        filter: { _id },
        update: { $inc: { claims }, $setOnInsert: { day, workspaceId: of } },
        upsert: true,
      },
    })),
    { session },
  );
}
