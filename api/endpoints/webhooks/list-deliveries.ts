import { deliveryListRules, deliveryListShape } from '../../../schemas/webhooks/webhook-requests';
import { presentDelivery } from '../../../schemas/responses/present-delivery';
import { pageOffset, PER_PAGE, presentPage } from '../../../schemas/responses/present-page';
import { API_PREFIX, route } from '../../route';
import { ownWebhook } from './own-webhook';

/** GET /webhooks/{id}/deliveries: newest event first in pages, with the filters `state` and `event`. */
export const listDeliveries = route({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  scope: 'manage_webhooks',
  emailModule: 'required',
  query: { shape: deliveryListShape, rules: deliveryListRules },
  async handle(deps, call) {
    const { id } = await ownWebhook(deps, call);
    const { state, event, page = 1 } = call.query;
    const filters = { ...(state && { state }), ...(event && { event }) };
    const cut = { offset: pageOffset(page), limit: PER_PAGE };
    const { total, items } = await deps.stores.deliveries.list(id, { ...filters, ...cut });
    const path = `${deps.publicUrl()}${API_PREFIX}/webhooks/${id}/deliveries`;
    return { status: 200, body: presentPage({ path, filters, page, total, items: items.map(presentDelivery) }) };
  },
});
