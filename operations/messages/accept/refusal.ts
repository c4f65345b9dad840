import { summary, type FieldErrors } from '../../../schemas/rules/validation-messages';

/** Which check refused a message. Each listener maps it to its own codes. */
export type RefusalReason =
  | 'malformed_address'
  | 'invalid_fields'
  | 'unknown_domain'
  | 'inactive_domain'
  | 'foreign_from_email'
  | 'no_coins'
  | 'suppressed'
  | 'unsubscribed'
  | 'stale_step';

/** A message that was not accepted, with the text for its sender. `errors` is set only for invalid fields. */
export class Refusal {
  constructor(
    readonly reason: RefusalReason,
    readonly message: string,
    readonly errors?: FieldErrors,
  ) {}

  /** A refusal because of invalid fields; the message counts the errors. */
  static ofFields(reason: RefusalReason, errors: FieldErrors): Refusal {
    return new Refusal(reason, summary(errors), errors);
  }
}

/** The result of a check, or its refusal. */
export type Checked<T> = T | Refusal;
