import { sendTest } from '../../../operations/webhooks/redeliver';
import { presentDelivery } from '../../../schemas/responses/present-delivery';
import { route } from '../../route';
import { activeWebhook } from './own-webhook';

/** POST /webhooks/{id}/test: queues an event `webhook.test`. */
export const testWebhook = route({
  method: 'POST',
  path: '/webhooks/:id/test',
  scope: 'manage_webhooks',
  emailModule: 'required',
  async handle(deps, call) {
    const webhook = await activeWebhook(deps, call);
    const delivery = await sendTest(deps.stores, webhook, deps.newId(), deps.clock.now());
    return { status: 202, body: presentDelivery(delivery) };
  },
});
