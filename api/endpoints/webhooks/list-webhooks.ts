import { presentWebhook } from '../../../schemas/responses/present-webhook';
import { route } from '../../route';

/** GET /webhooks: all webhooks, in creation order. */
export const listWebhooks = route({
  method: 'GET',
  path: '/webhooks',
  scope: 'manage_webhooks',
  emailModule: 'required',
  async handle({ stores }, { workspace }) {
    const webhooks = await stores.webhooks.list(workspace.id);
    return { status: 200, body: webhooks.map(presentWebhook) };
  },
});
