import { URL_FAULTS } from '../schemas/webhooks/new-webhook';
import { validationMessage, type FaultCode } from '../schemas/rules/validation-messages';
import type { TargetFault } from '../commands/webhooks/client/targets';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';

const FAULTS: Readonly<Record<TargetFault, FaultCode>> = {
  ...URL_FAULTS,
  unresolved: 'url.unresolved',
  unanswered: 'url.unanswered',
};

/**
 * Checks the rules of a webhook URL that need the DNS (docs/contract.md#webhook-url): its host has addresses, all of
 * them public. The sender checks again before each request, since names may change. Takes a URL whose text is already
 * valid; ApiError 422.
 */
export async function checkWebhookHost(
  { webhookTargets, logger }: Pick<ApiDeps, 'webhookTargets' | 'logger'>,
  url: string,
): Promise<void> {
  const target = await webhookTargets.find(url);
  if (target.ok) return;
  if (target.cause !== undefined) logger.debug({ err: target.cause, url }, 'webhook host lookup failed');
  throw invalidFields({ url: [validationMessage(FAULTS[target.fault], 'url')] });
}
