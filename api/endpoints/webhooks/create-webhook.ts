import { randomText } from '../../../lib/random-text';
import { MAX_WEBHOOKS, webhookSecretContext } from '../../../domain/webhooks/webhook';
import { newWebhookRules, newWebhookShape, type NewWebhookContext } from '../../../schemas/webhooks/new-webhook';
import { checkWebhookHost } from '../../check-webhook-host';
import { ApiError } from '../../errors';
import { presentNewWebhook } from '../../../presenters/webhook';
import { route } from '../../route';

/** Length of a webhook's secret. */
const SECRET_LENGTH = 40;

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
    const secret = randomText(SECRET_LENGTH);
    const webhook = await deps.stores.webhooks.create(
      {
        workspaceId,
        url,
        eventTypes,
        secretSealed: deps.keyring.seal(secret, webhookSecretContext({ workspaceId, url })),
        isActive: true,
        createdAt: deps.clock.now(),
      },
      MAX_WEBHOOKS,
    );
    if (!webhook) throw new ApiError('webhook_limit');
    return { status: 201, body: presentNewWebhook(webhook, secret) };
  },
});
