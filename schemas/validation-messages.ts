import type { ValidationErrorItem } from 'joi';

/** Field name to its errors, one English sentence each (docs/contract.md#validation-errors: `errors`). */
export type FieldErrors = Record<string, string[]>;

type Context = Readonly<Record<string, unknown>>;
type Sentence = (field: string, context: Context) => string;

const notInteger: Sentence = (field) => `The ${field} field must be an integer.`;
const fixed =
  (rest: string): Sentence =>
  (field) =>
    `The ${field} field ${rest}`;

/** Every validation error, by the code of the rule that found it. */
const SENTENCES = {
  'any.required': fixed('is required.'),
  // Empty text counts as absent (docs/contract.md#trimming). Requests are normalized first, files of operators are not.
  'string.empty': fixed('is required.'),
  'any.unknown': fixed('does not belong here.'),
  'object.unknown': fixed('does not belong here.'),
  'any.only': (field, context) => `The ${field} field must be one of ${(context['valids'] as string[]).join(', ')}.`,
  'string.base': fixed('must be a string.'),
  'number.base': notInteger,
  'number.integer': notInteger,
  'number.unsafe': notInteger,
  'number.infinity': notInteger,
  'number.min': (field, context) => `The ${field} field must be at least ${String(context['limit'])}.`,
  'number.max': (field, context) => `The ${field} field must not be greater than ${String(context['limit'])}.`,
  'required.without': (field, context) =>
    `The ${field} field is required when ${String(context['other'])} is not given.`,
  'excluded.with': (field, context) =>
    `The ${field} field must not be given together with ${String(context['other'])}.`,
  'uuid.invalid': fixed('must be a UUID.'),
  'timestamp.invalid': fixed('must be an ISO 8601 timestamp such as 2026-01-05T10:00:00Z.'),
  'timestamp.order': fixed('must not be after the to field.'),
  'cursor.invalid': fixed('must be a cursor from the next field of an earlier answer.'),
  'timestamp.future': fixed('must not be in the future.'),
  'object.base': fixed('must be an object.'),
  'array.base': fixed('must be an array.'),
  'array.min': fixed('must have at least one item.'),
  'duration.invalid': fixed('must be a duration from 1m to 365d, such as 30m, 12h or 3d.'),
  'https.invalid': fixed('must be an https URL without a user name or password.'),
  'array.max': (field, context) => `The ${field} field must not have more than ${String(context['limit'])} items.`,
  'text.max': (field, context) => `The ${field} field must not be greater than ${String(context['limit'])} characters.`,
  'consent.required': fixed('must be true.'),
  'email.invalid': fixed('must be a valid email address.'),
  'email.local': fixed('must have only ASCII characters before the @.'),
  'filename.empty': fixed('has no characters that are allowed in a file name.'),
  'filename.risky': fixed('has a file extension that is not allowed.'),
  'url.invalid': fixed('must be a valid URL.'),
  'url.https': fixed('must be a URL that begins with https://.'),
  'url.credentials': fixed('must not have a user name or a password.'),
  'url.internal': fixed('must not point to an internal or private network.'),
  'url.unresolved': fixed('must have a host that can be resolved in DNS.'),
  'url.unanswered': fixed('has a host that DNS gave no answer for; try again later.'),
  'base64.invalid': fixed('must be valid base64 (standard alphabet, padded, no line breaks, not a data URL).'),
  'mime.invalid': fixed('must be a MIME type such as application/pdf.'),
  'attachments.size': fixed('must not be greater than 10 MB in total.'),
  'metadata.keys': (field, context) => `The ${field} field must not have more than ${String(context['limit'])} keys.`,
  'metadata.key': fixed('must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -'),
  'metadata.value': fixed('must be a string, a number, a boolean or null.'),
} satisfies Record<string, Sentence>;
export type FaultCode = keyof typeof SENTENCES;

/** The message for one validation error of a field. */
export function validationMessage(code: FaultCode, field: string, context: Context = {}): string {
  return SENTENCES[code](field, context);
}

/** An error inside a value that Joi sees as one; all such errors are passed together, as `context.faults`. */
export interface InnerFault {
  code: FaultCode;
  /** Name of the invalid member; absent when the whole value is invalid. */
  member?: string;
  limit?: number;
  valids?: readonly string[];
}

/** Errors by field; an error inside a list is named like `attachments.0.filename`. */
export function fieldErrors(details: readonly ValidationErrorItem[]): FieldErrors {
  const errors: FieldErrors = {};
  const add = (code: FaultCode, path: readonly (string | number)[], context?: Context): void => {
    const field = path.join('.');
    (errors[field] ??= []).push(validationMessage(code, field, context));
  };
  for (const { type, path, context } of details) {
    const inner = context?.['faults'] as readonly InnerFault[] | undefined;
    if (!inner) add(type as FaultCode, path, context);
    for (const { code, member, ...more } of inner ?? [])
      add(code, member === undefined ? path : [...path, member], more);
  }
  return errors;
}

/** The top-level message: the first error, and a suffix that counts the others (docs/contract.md#validation-errors). */
export function summary(errors: FieldErrors): string {
  const [first = '', ...more] = Object.values(errors).flat();
  if (more.length === 0) return first;
  return `${first} (and ${more.length} more ${more.length === 1 ? 'error' : 'errors'})`;
}
