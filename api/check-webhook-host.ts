import { targetFaultMessage } from '../operations/webhooks/register-webhook';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';

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
  throw invalidFields({ url: [targetFaultMessage(target.fault)] });
}
