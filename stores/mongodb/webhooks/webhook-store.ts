import type { Webhook } from '../../../domain/webhook';
import type { NewWebhook, WebhookStore } from '../../ports/webhook-store';
import type { Mongo } from '../database/client';
import { documents, type WebhookDocument } from '../database/documents';
import { guarded, isDuplicate } from '../transactions/guard';
import { takeIds } from '../database/ids';

const toWebhook = ({ _id: id, place: _place, ...rest }: WebhookDocument): Webhook => ({ id, ...rest });

/** MongoDB driver of WebhookStore. */
export function webhookStore(mongo: Mongo): WebhookStore {
  const webhooks = documents(mongo.db, 'webhooks');
  return guarded<WebhookStore>({
    create: (webhook, limit) => create(mongo, webhook, limit),
    list: async (workspaceId) => (await webhooks.find({ workspaceId }).sort({ _id: 1 }).toArray()).map(toWebhook),
    delete: async (workspaceId, id) => (await webhooks.deleteOne({ _id: id, workspaceId })).deletedCount === 1,
  });
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
  for (let place = 1; taken.size < limit; place += 1) {
    if (taken.has(place)) continue;
    try {
      await webhooks.insertOne({ _id: id, ...webhook, place });
      return { ...webhook, id };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      taken.add(place);
    }
  }
  return null;
}
