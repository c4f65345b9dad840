import { addressBytes, isPublicAddress } from '../domain/public-address';
import { readWebhookUrl } from '../domain/webhook-url';
import { validationMessage, type FaultCode } from '../schemas/validation-messages';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';

/**
 * The part of a webhook URL's rules that only the DNS can tell (docs/contract.md#webhook-url): its host has an address,
 * and none that is not public. Whoever posts to it looks again, since names may move. Takes a URL that kept the rules
 * of its text; ApiError 422.
 */
export async function checkWebhookHost({ resolveHost, logger }: Pick<ApiDeps, 'resolveHost' | 'logger'>, url: string) {
  const read = readWebhookUrl(url);
  if (!read.ok || read.host.kind === 'address') return;
  const { name } = read.host;
  const addresses = await resolveHost(name).catch((err: unknown) => {
    logger.debug({ err, name }, 'the host of a webhook could not be looked up');
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
