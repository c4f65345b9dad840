import { retryDelivery as retry } from '../../../operations/webhooks/redeliver';
import { found } from '../../path-id';
import { presentDelivery } from '../../../schemas/responses/present-delivery';
import { route } from '../../route';
import { activeWebhook } from './own-webhook';

/** POST /webhooks/{id}/deliveries/{delivery}/retry: one more attempt at once, beyond the five. */
export const retryDelivery = route({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery/retry',
  scope: 'manage_webhooks',
  emailModule: 'required',
  async handle(deps, call) {
    const webhook = await activeWebhook(deps, call);
    const delivery = await retry(deps.stores, webhook, call.params['delivery'] ?? '', deps.clock.now());
    return { status: 202, body: presentDelivery(found(delivery)) };
  },
});
