import type { Refusal } from '../../../operations/messages/accept/refusal';
import { type RefusalReason } from '../../../operations/messages/accept/refusal';
import { ERRORS, type ErrorBody, type ErrorCode } from '../../errors';

/** The error code of each refusal; `ERRORS` gives its status. */
const CODES: Record<RefusalReason, ErrorCode> = {
  malformed_address: 'recipient_malformed',
  invalid_fields: 'validation_failed',
  unknown_domain: 'domain_unknown',
  inactive_domain: 'domain_inactive',
  foreign_from_email: 'from_email_mismatch',
  no_coins: 'no_coins',
  suppressed: 'recipient_suppressed',
  unsubscribed: 'recipient_unsubscribed',
  // Of journeys only.
  late_round: 'recipient_unsubscribed',
};

/** The status and body of a message that was not accepted. */
export function presentRefusal({ message, reason, errors }: Refusal): { status: number; body: ErrorBody } {
  const code = CODES[reason];
  return { status: ERRORS[code].status, body: { message, code, ...(errors && { errors }) } };
}
