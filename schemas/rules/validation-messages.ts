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
  'any.unknown': fixed('is not allowed here.'),
  'object.unknown': fixed('is not allowed here.'),
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
  'moment.invalid': fixed('must be an ISO 8601 timestamp or date such as 2026-01-05T10:00:00Z or 2026-01-05.'),
  'recipient.invalid': fixed('must be a valid email address or the id of a contact.'),
  'timestamp.order': fixed('must not be after the to field.'),
  'cursor.invalid': fixed('must be a cursor from the next field of an earlier answer.'),
  'variable.name': fixed('must have 1 to 40 characters out of a-z 0-9 _ and begin with a letter.'),
  'variable.tag': fixed('must not be the name of a merge tag.'),
  'variable.twice': fixed('must be unique.'),
  'variable.undeclared': (field, { name }) =>
    `The ${field} field uses {{${String(name)}}}, which is no merge tag and no variable.`,
  'variable.unknown': fixed('is not a variable of the template.'),
  'variables.unknown': fixed('must hold variables of the template only.'),
  'variables.alone': fixed('needs a template_id.'),
  'number.any': fixed('must be a number.'),
  'url.http': fixed('must be a URL that begins with http:// or https://.'),
  'name.taken': fixed('has already been taken.'),
  'selected.invalid': (field) => `The selected ${field} is invalid.`,
  'timestamp.offset': fixed('must be an ISO 8601 timestamp with an offset, such as 2026-01-05T10:00:00+07:00.'),
  'timestamp.past': fixed('must not be in the past.'),
  'timestamp.far': (field, context) => `The ${field} field must be at most ${String(context['limit'])} days ahead.`,
  'timestamp.future': fixed('must not be in the future.'),
  'object.base': fixed('must be an object.'),
  'array.base': fixed('must be an array.'),
  'array.min': fixed('must have at least one item.'),
  'duration.invalid': fixed('must be a duration from 1m to 365d, such as 30m, 12h or 3d.'),
  'text.broken': fixed('must not have broken characters.'),
  'text.controls': fixed('must not contain control characters or line feeds.'),
  'reference.unknown': (field, { what, text }) =>
    `The ${field} field names ${JSON.stringify(text)}, and this workspace has no such ${String(what)}.`,
  'reference.several': (field, { what, ids }) =>
    `The ${field} field must be an id: ${(ids as number[]).join(', ')} are ${String(what)}s of that name.`,
  'branch.condition': fixed('must be goal, {opened: <step>} or {clicked: <step>}.'),
  'branch.goal': fixed('asks for the goal, and the journey has none.'),
  'branch.step': (field, { mails }) => {
    const steps = mails as number[];
    const which = steps.length > 0 ? `: ${steps.join(', ')}` : '; there is none';
    return `The ${field} field must name an email step on the way to it${which}.`;
  },
  'array.max': (field, context) => `The ${field} field must not have more than ${String(context['limit'])} items.`,
  'text.max': (field, context) => `The ${field} field must not be greater than ${String(context['limit'])} characters.`,
  'consent.required': fixed('must be true.'),
  'email.invalid': fixed('must be a valid email address.'),
  'email.named': (field, context) =>
    `The ${field} field must be an email address alone: ${String(context['address'])}, without a name.`,
  'email.local': fixed('must have only ASCII characters before the @.'),
  'filename.empty': fixed('has no characters that are allowed in a file name.'),
  'filename.risky': fixed('has a file extension that is not allowed.'),
  'filename.hides': fixed('must not contain ; or ::, nor a file extension that is not allowed before a colon.'),
  'url.invalid': fixed('must be a valid URL.'),
  'url.https': fixed('must be a URL that begins with https://.'),
  'url.credentials': fixed('must not have a user name or a password.'),
  'url.internal': fixed(
    'must not point to an internal or private network. For development the operator may allow hosts: KURIR_WEBHOOK_PRIVATE_HOSTS.',
  ),
  'url.unresolved': fixed('must have a host that can be resolved in DNS.'),
  'url.unanswered': fixed('has a host that DNS gave no answer for; try again later.'),
  'base64.invalid': fixed('must be valid base64 (standard alphabet, padded, no line breaks, not a data URL).'),
  'mime.invalid': fixed('must be a MIME type such as application/pdf.'),
  'mime.risky': fixed('has a MIME type that is not allowed: that of a program or script.'),
  'attachments.size': fixed('must not be greater than 10 MB in total.'),
  'metadata.keys': (field, context) => `The ${field} field must not have more than ${String(context['limit'])} keys.`,
  'metadata.key': fixed('must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -'),
  'metadata.value': fixed('must be a string, a number, a boolean or null.'),
} satisfies Record<string, Sentence>;
export type FaultCode = keyof typeof SENTENCES;
export const FAULT_CODES = Object.keys(SENTENCES) as readonly FaultCode[];

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
