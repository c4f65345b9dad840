import { validationMessage } from '../schemas/validation-messages';
import { isEmailAddress, MAX_ADDRESS } from '../schemas/email-address';
import { codePointsAtMost } from '../schemas/text';
import type { AcceptDeps } from './accept-deps';
import { penalise } from './penalise';
import { Refusal } from './refusal';

/**
 * Check 1: true when `to` is text but no email address, or longer than 255 characters. A `to` that is missing or no text is
 * left to check 2.
 */
export const isMalformed = (to: unknown): to is string => typeof to === 'string' && !isEmailAddress(to);

/** What check 1 answers, and its penalty. */
export async function refuseMalformed(deps: AcceptDeps, workspaceId: number, to: string): Promise<Refusal> {
  await penalise(deps, workspaceId, deps.keyring.hashAddress(to.toLowerCase()), 'malformed');
  const fault = codePointsAtMost(to, MAX_ADDRESS)
    ? validationMessage('email.invalid', 'to')
    : validationMessage('text.max', 'to', { limit: MAX_ADDRESS });
  return Refusal.ofFields('recipient_malformed', { to: [fault] });
}
