import type { Webhook } from '../../../domain/webhooks/webhook';
import type { NewWebhook, WebhookStore } from '../../ports/webhook-store';
import { LAST_SUCCESS_STEP } from '../../shared/last-success';
import { mapOne, mapAll } from '../database/reads';
import { compareAndSet, insertNew } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import type { WebhookDocument } from './delivery-fields';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

const toWebhook = ({ _id: id, place: _place, ...rest }: WebhookDocument): Webhook => ({ id, ...rest });

/** MongoDB driver of WebhookStore. */
export function webhookStore(mongo: Mongo): WebhookStore {
  const webhooks = documents(mongo.db, 'webhooks');
  return guarded<WebhookStore>({
    create: (webhook, limit) => create(mongo, webhook, limit),
    list: (workspaceId) => mapAll(webhooks.find({ workspaceId }).sort({ _id: 1 }), toWebhook),
    get: (id) => mapOne(webhooks.findOne({ _id: id }), toWebhook),
    enable: async (id, now) => {
      const on = { isActive: true, enabledAt: now, failures: 0 };
      return compareAndSet(webhooks, { _id: id }, { $set: on });
    },
    disable: async (id, unless) => {
      const same = unless && { enabledAt: unless.enabledAt, lastSuccessAt: unless.lastSuccessAt };
      const active = { _id: id, isActive: true, ...same };
      return compareAndSet(webhooks, active, { $set: { isActive: false } });
    },
    restart: async (workspaceId, now) => {
      await webhooks.updateMany({ workspaceId }, { $set: { enabledAt: now } });
    },
    report: (id, result) => report(mongo, id, result),
    delete: async (workspaceId, id) => (await webhooks.deleteOne({ _id: id, workspaceId })).deletedCount === 1,
  });
}

async function report({ db }: Mongo, id: number, { success, at }: { success: boolean; at: number }): Promise<void> {
  const webhooks = documents(db, 'webhooks');
  if (!success) {
    await webhooks.updateOne({ _id: id }, { $inc: { failures: 1 } });
    return;
  }
  const stale = [
    { failures: { $gt: 0 } },
    { lastSuccessAt: null },
    { lastSuccessAt: { $lte: at - LAST_SUCCESS_STEP } },
  ];
  await webhooks.updateOne({ _id: id, $or: stale }, { $set: { lastSuccessAt: at, failures: 0 } });
}

/**
 * A webhook takes the first free place of its workspace, and a unique index gives each place to one webhook. So the
 * limit holds without a transaction: a place lost to another caller is a place taken.
 */
async function create(mongo: Mongo, webhook: NewWebhook, limit: number): Promise<Webhook | null> {
  const webhooks = documents(mongo.db, 'webhooks');
  const { workspaceId } = webhook;
  const held = await webhooks.find({ workspaceId }, { projection: { _id: 0, place: 1 } }).toArray();
  const taken = new Set(held.map(({ place }) => place));
  if (taken.size >= limit) return null;
  const id = await takeIds(mongo, 'webhooks');
  const made = { ...webhook, enabledAt: webhook.createdAt, lastSuccessAt: null, failures: 0 };
  for (let place = 1; taken.size < limit; place += 1) {
    if (taken.has(place)) continue;
    if (await insertNew(webhooks, { _id: id, ...made, place })) return { ...made, id };
    taken.add(place);
  }
  return null;
}
