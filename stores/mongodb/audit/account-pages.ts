import type { LedgerRecord } from '../../../domain/audit/check-ledger-row';
import type { PenaltyRecord } from '../../../domain/audit/check-penalties';
import type { KeyRecord } from '../../../domain/audit/idempotency-check';
import { PenaltyGroups, type PenaltyGroup } from '../../../domain/audit/penalty-groups';
import { gateKey, ledgerKey } from '../ledger/booking';
import { documents } from '../database/documents';
import { guard } from '../transactions/guard';
import { toBooked } from './message-pages';
import { pages, type Snapshot } from '../transactions/snapshot';

const PAGE = 1_000;

/** The ledger of a workspace in the order of booking. */
export async function* ledgerPages({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<LedgerRecord[]> {
  const rows = documents(db, 'ledger')
    .find({ workspaceId }, { ...moment, batchSize: PAGE })
    .sort({ seq: 1 });
  for await (const page of pages(rows, PAGE)) {
    const ids = page.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
    const messages = documents(db, 'messages').find(
      { _id: { $in: ids } },
      { ...moment, projection: { workspaceId: 1 } },
    );
    const owners = new Map((await guard(() => messages.toArray())).map((found) => [found._id, found.workspaceId]));
    yield page.map((row) => ({ ...toBooked(row), messageWorkspaceId: owners.get(row.messageId ?? '') ?? null }));
  }
}

/** The penalties of forced sends by address and reason, then the gates that belong to no penalty. */
export async function* penaltyPages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<PenaltyRecord[]> {
  const { db, moment } = snapshot;
  const rows = documents(db, 'ledger')
    .find(
      {
        _id: { $gte: ledgerKey(workspaceId, 'penalty:'), $lt: ledgerKey(workspaceId, 'penalty;') },
        messageId: null,
      },
      { ...moment, batchSize: PAGE },
    )
    .sort({ _id: 1 });
  const groups = new PenaltyGroups();
  for await (const page of pages(rows, PAGE)) {
    yield await withGates(snapshot, workspaceId, groups.add(page.map(toBooked)));
  }
  yield await withGates(snapshot, workspaceId, groups.end());
  yield* idleGates(snapshot, workspaceId);
}

async function withGates(
  { db, moment }: Snapshot,
  workspaceId: number,
  groups: readonly PenaltyGroup[],
): Promise<PenaltyRecord[]> {
  const keys = groups.map(([key]) => gateKey(workspaceId, key));
  const found = documents(db, 'gates').find({ _id: { $in: keys } }, moment);
  const gates = new Map((await guard(() => found.toArray())).map(({ _id, at }) => [_id, at]));
  return groups.map(([key, booked]) => ({
    workspaceId,
    key,
    gateAt: gates.get(gateKey(workspaceId, key)) ?? null,
    booked: booked.sort((a, b) => a - b),
  }));
}

async function* idleGates({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<PenaltyRecord[]> {
  const gates = documents(db, 'gates')
    .find({ workspaceId }, { ...moment, batchSize: PAGE })
    .sort({ _id: 1 });
  for await (const page of pages(gates, PAGE)) {
    const idle: PenaltyRecord[] = [];
    for (const { _id, at } of page) {
      const key = _id.slice(_id.indexOf(':') + 1);
      const penalties = {
        $gte: ledgerKey(workspaceId, `penalty:${key}:`),
        $lt: ledgerKey(workspaceId, `penalty:${key};`),
      };
      const one = await guard(() =>
        documents(db, 'ledger').findOne({ _id: penalties }, { ...moment, projection: { _id: 1 } }),
      );
      if (!one) idle.push({ workspaceId, key, gateAt: at, booked: [] });
    }
    yield idle;
  }
}

/** The idempotency keys of a workspace. A key is stored in its message, so it always has one, of the same workspace. */
export async function* keyPages({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<KeyRecord[]> {
  const keyed = documents(db, 'messages')
    .find(
      { workspaceId, idempotencyKey: { $exists: true } },
      { ...moment, batchSize: PAGE, projection: { idempotencyKey: 1 } },
    )
    .sort({ _id: 1 });
  for await (const page of pages(keyed, PAGE)) {
    yield page.map(({ _id, idempotencyKey }) => ({
      workspaceId,
      key: idempotencyKey ?? '',
      messageId: _id,
      messageWorkspaceId: workspaceId,
    }));
  }
}

/** The times of every attempt of the workspace's messages, ascending. */
export async function* claimPages({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<number[]> {
  const claims = documents(db, 'messages').aggregate<{ at: number }>(
    [
      { $match: { workspaceId } },
      { $project: { _id: 0, at: '$attempts.claimedAt' } },
      { $unwind: '$at' },
      { $sort: { at: 1 } },
    ],
    { ...moment, batchSize: PAGE, allowDiskUse: true },
  );
  for await (const page of pages(claims, PAGE)) yield page.map(({ at }) => at);
}
