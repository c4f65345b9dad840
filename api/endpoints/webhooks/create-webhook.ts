import { registerWebhook } from '../../../operations/webhooks/register-webhook';
import { newWebhookRules, newWebhookShape, type NewWebhookContext } from '../../../schemas/webhooks/new-webhook';
import { checkWebhookHost } from '../../check-webhook-host';
import { ApiError } from '../../errors';
import { presentNewWebhook } from '../../../schemas/responses/present-webhook';
import { route } from '../../route';

/**
 * POST /webhooks: 201 with the secret, which no other response includes. Validation comes before the limit
 * (docs/contract.md#webhook-limit).
 */
export const createWebhook = route({
  method: 'POST',
  path: '/webhooks',
  scope: 'manage_webhooks',
  emailModule: 'required',
  body: { shape: newWebhookShape, rules: newWebhookRules },
  async handle(deps, { workspace: { id: workspaceId }, fields }) {
    const { mayBePrivate } = deps.webhookTargets;
    const { url, event_types: eventTypes } = await fields({ mayBePrivate } satisfies NewWebhookContext);
    await checkWebhookHost(deps, url);
    const { webhooks } = deps.stores;
    const given = { workspaceId, url, eventTypes };
    const made = await registerWebhook({ webhooks, keyring: deps.keyring }, given, deps.clock.now());
    if (!made) throw new ApiError('webhook_limit');
    return { status: 201, body: presentNewWebhook(made.webhook, made.secret) };
  },
});
