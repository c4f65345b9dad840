import type { Keyring } from '../../../domain/keyring';
import type { Reason } from '../../../lib/reason';
import { validationMessage } from '../../../schemas/rules/validation-messages';
import { isEmailAddress, MAX_ADDRESS, namedAddress } from '../../../schemas/rules/email-address';
import { codePointsAtMost } from '../../../schemas/rules/text';
import type { Penalties } from './penalties';
import { Refusal } from './refusal';

/**
 * Check 1: refuses, with a penalty, a `to` that is text but not an email address, or longer than 255 characters.
 * Returns null otherwise. A `to` that is missing or not text is left to check 2.
 */
export function checkAddress(
  to: unknown,
  { workspaceId, keyring, penalties }: { workspaceId: number; keyring: Keyring; penalties: Penalties },
): Refusal | null {
  if (typeof to !== 'string' || isEmailAddress(to)) return null;
  penalties.add(workspaceId, keyring.hashAddress(to.toLowerCase()), 'malformed');
  return Refusal.ofFields('malformed_address', { to: [fault(to)] });
}

function fault(to: string): Reason {
  if (!codePointsAtMost(to, MAX_ADDRESS)) return validationMessage('text.max', 'to', { limit: MAX_ADDRESS });
  const address = namedAddress(to);
  return address === null
    ? validationMessage('email.invalid', 'to')
    : validationMessage('email.named', 'to', { address });
}
