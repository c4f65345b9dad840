import type { ErrorCode } from '../api/errors';
import { summary, type FieldErrors } from '../schemas/validation-messages';

/** Which check refused a message. */
export type RefusalReason = Extract<
  ErrorCode,
  | 'recipient_malformed'
  | 'validation_failed'
  | 'domain_unknown'
  | 'domain_inactive'
  | 'from_email_mismatch'
  | 'no_coins'
  | 'recipient_suppressed'
  | 'recipient_unsubscribed'
>;

/** A message that was not accepted, and the text for its sender. `errors` only where fields are at fault. */
export class Refusal {
  constructor(
    readonly reason: RefusalReason,
    readonly message: string,
    readonly errors?: FieldErrors,
  ) {}

  /** A refusal over fields; the message counts them. */
  static ofFields(reason: RefusalReason, errors: FieldErrors): Refusal {
    return new Refusal(reason, summary(errors), errors);
  }
}

/** What a check found out, or its refusal. */
export type Checked<T> = T | Refusal;
