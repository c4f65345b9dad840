import { summary, type FieldErrors } from '../schemas/validation-messages';

/** Which check refused a message. A door maps each to its own codes. */
export type RefusalReason =
  | 'malformed_address'
  | 'invalid_fields'
  | 'unknown_domain'
  | 'inactive_domain'
  | 'foreign_from_email'
  | 'no_coins'
  | 'suppressed'
  | 'unsubscribed';

/** A message that was not accepted, and the text for its sender. `errors` only where fields are invalid. */
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
