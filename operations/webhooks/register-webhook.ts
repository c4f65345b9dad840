import { type Reason } from '../../lib/reason';
import type { Keyring } from '../../domain/keyring';
import { MAX_WEBHOOKS, webhookSecretContext, type Webhook } from '../../domain/webhooks/webhook';
import { randomText } from '../../lib/random-text';
import { validationMessage, type FaultCode } from '../../schemas/rules/validation-messages';
import { URL_FAULTS } from '../../schemas/webhooks/new-webhook';
import type { WebhookStore } from '../../stores/ports/webhook-store';
import type { TargetFault } from './targets';

/** Length of a webhook's secret. */
const SECRET_LENGTH = 40;

const FAULTS: Readonly<Record<TargetFault, FaultCode>> = {
  ...URL_FAULTS,
  unresolved: 'url.unresolved',
  unanswered: 'url.unanswered',
};

/** Why a URL may not be registered, in the words of the API. */
export const targetFaultMessage = (fault: TargetFault): Reason => validationMessage(FAULTS[fault], 'url');

/**
 * Registers a webhook with a URL that was checked, and makes its secret, which is stored sealed. Null when the
 * workspace has as many as it may have (docs/contract.md#webhook-limit).
 */
export async function registerWebhook(
  { webhooks, keyring }: { webhooks: Pick<WebhookStore, 'create'>; keyring: Keyring },
  { workspaceId, url, eventTypes }: Pick<Webhook, 'workspaceId' | 'url' | 'eventTypes'>,
  now: number,
): Promise<{ webhook: Webhook; secret: string } | null> {
  const secret = randomText(SECRET_LENGTH);
  const secretSealed = keyring.seal(secret, webhookSecretContext({ workspaceId, url }));
  const made = { workspaceId, url, eventTypes, secretSealed, isActive: true, createdAt: now };
  const webhook = await webhooks.create(made, MAX_WEBHOOKS);
  return webhook && { webhook, secret };
}
