import { addressBytes, isPublicAddress } from '../domain/public-address';
import { readWebhookUrl } from '../domain/webhook-url';
import { validationMessage, type FaultCode } from '../schemas/validation-messages';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';

/**
 * Checks the rules of a webhook URL that need the DNS (docs/contract.md#webhook-url): its host has addresses, all of
 * them public. The sender checks again before each request, since names may change. Takes a URL whose text is already
 * valid; ApiError 422.
 */
export async function checkWebhookHost({ resolveHost, logger }: Pick<ApiDeps, 'resolveHost' | 'logger'>, url: string) {
  const read = readWebhookUrl(url);
  if (!read.ok || read.host.kind === 'address') return;
  const { name } = read.host;
  const addresses = await resolveHost(name).catch((err: unknown) => {
    logger.debug({ err, name }, 'webhook host lookup failed');
    throw refused('url.unanswered');
  });
  if (addresses.length === 0) throw refused('url.unresolved');
  if (!addresses.every(isPublic)) throw refused('url.internal');
}

function isPublic(address: string): boolean {
  const bytes = addressBytes(address);
  return bytes !== null && isPublicAddress(bytes);
}

const refused = (code: FaultCode) => invalidFields({ url: [validationMessage(code, 'url')] });
