import { faultSentence } from '../../schemas/faults';
import { isEmailAddress, MAX_ADDRESS } from '../../schemas/email-address';
import { codePointsAtMost } from '../../schemas/text';
import type { AcceptDeps } from './accept-deps';
import { penalise } from './penalise';
import { Refusal } from './refusal';

/**
 * Check 1: `to` is text but no email address, or longer than 255 characters: penalty. A `to` that is missing or no text
 * is left to check 2.
 */
export async function checkAddress(deps: AcceptDeps, workspaceId: number, to: unknown): Promise<Refusal | null> {
  if (typeof to !== 'string' || isEmailAddress(to)) return null;
  await penalise(deps, workspaceId, deps.keyring.hashAddress(to.toLowerCase()), 'malformed');
  const fault = codePointsAtMost(to, MAX_ADDRESS)
    ? faultSentence('email.invalid', 'to')
    : faultSentence('text.max', 'to', { limit: MAX_ADDRESS });
  return Refusal.ofFields('recipient_malformed', { to: [fault] });
}
