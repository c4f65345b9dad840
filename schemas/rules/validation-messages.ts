import type { ValidationErrorItem } from 'joi';
import { joined, Reason, reasonsOf, type Sentence, type Value } from '../../lib/reason';

/** Field name to its errors, one sentence each (docs/contract.md#validation-errors: `errors`). */
export type FieldErrors = Record<string, Reason[]>;

type Context = Readonly<Record<string, unknown>>;

const required: Sentence = ['is required', 'wajib diisi'];
const unknown: Sentence = ['is not allowed here', 'tidak boleh ada di sini'];
const integer: Sentence = ['must be an integer', 'harus berupa bilangan bulat'];

/** Every validation error, by the code of the rule that found it: what a field must be, or a whole sentence. */
const RULES = {
  'any.required': required,
  // Empty text counts as absent (docs/contract.md#trimming). Requests are normalized first, files of operators are not.
  'string.empty': required,
  'any.unknown': unknown,
  'object.unknown': unknown,
  'any.only': ['must be one of {valids}', 'harus salah satu dari {valids}'],
  'string.base': ['must be a string', 'harus berupa teks'],
  'number.base': integer,
  'number.integer': integer,
  'number.unsafe': integer,
  'number.infinity': integer,
  'number.min': ['must be at least {limit}', 'minimal {limit}'],
  'number.max': ['must not be greater than {limit}', 'maksimal {limit}'],
  'required.without': ['is required when {other} is not given', 'wajib diisi jika {other} tidak diisi'],
  'excluded.with': ['must not be given together with {other}', 'tidak boleh diisi bersama {other}'],
  'uuid.invalid': ['must be a UUID', 'harus berupa UUID'],
  'timestamp.invalid': [
    'must be an ISO 8601 timestamp such as 2026-01-05T10:00:00Z',
    'harus berupa waktu ISO 8601 seperti 2026-01-05T10:00:00Z',
  ],
  'moment.invalid': [
    'must be an ISO 8601 timestamp or date such as 2026-01-05T10:00:00Z or 2026-01-05',
    'harus berupa waktu atau tanggal ISO 8601 seperti 2026-01-05T10:00:00Z atau 2026-01-05',
  ],
  'recipient.invalid': [
    'must be a valid email address or the id of a contact',
    'harus berupa alamat email yang benar atau id sebuah kontak',
  ],
  'timestamp.order': ['must not be after the to field', 'tidak boleh sesudah to'],
  'cursor.invalid': [
    'must be a cursor from the next field of an earlier response',
    'harus berupa kursor dari kolom next pada respons sebelumnya',
  ],
  'variable.name': [
    'must have 1 to 40 characters from a-z 0-9 _ and start with a letter',
    'harus 1 sampai 40 karakter dari a-z 0-9 _ dan diawali huruf',
  ],
  'variable.tag': ['must not be the name of a merge tag', 'tidak boleh sama dengan nama merge tag'],
  'variable.twice': ['must be unique', 'tidak boleh ganda'],
  'variable.undeclared': [
    'uses {tag}, which is not a merge tag or a variable',
    'memakai {tag}, yang bukan merge tag dan bukan variabel',
  ],
  'variable.unknown': ['is not a variable of the template', 'bukan variabel templat ini'],
  'variables.unknown': ['must contain variables of the template only', 'hanya boleh berisi variabel templat ini'],
  'variables.alone': ['requires a template_id', 'memerlukan template_id'],
  'number.any': ['must be a number', 'harus berupa angka'],
  'url.http': [
    'must be a URL that begins with http:// or https://',
    'harus berupa URL yang diawali http:// atau https://',
  ],
  'name.taken': ['has already been taken', 'sudah dipakai'],
  'selected.invalid': ['The selected {field} is invalid.', '{field} yang dipilih tidak valid.'],
  'timestamp.offset': [
    'must be an ISO 8601 timestamp with an offset, such as 2026-01-05T10:00:00+07:00',
    'harus berupa waktu ISO 8601 dengan selisih zona, seperti 2026-01-05T10:00:00+07:00',
  ],
  'timestamp.past': ['must not be in the past', 'tidak boleh di masa lalu'],
  'timestamp.far': ['must be at most {limit} days ahead', 'maksimal {limit} hari ke depan'],
  'timestamp.future': ['must not be in the future', 'tidak boleh di masa depan'],
  'object.base': ['must be an object', 'harus berupa objek'],
  'array.base': ['must be an array', 'harus berupa daftar'],
  'array.min': ['must have at least one item', 'harus berisi minimal satu item'],
  'duration.invalid': [
    'must be a duration from 1m to 365d, such as 30m, 12h or 3d',
    'harus berupa lama waktu dari 1m sampai 365d, seperti 30m, 12h atau 3d',
  ],
  'text.broken': ['must not contain broken characters', 'tidak boleh berisi karakter rusak'],
  'text.controls': [
    'must not contain control characters or line feeds',
    'tidak boleh berisi karakter kontrol atau baris baru',
  ],
  'reference.unknown': [
    'names {text}, but this workspace has no such {what}',
    'menyebut {text}, tetapi {what} itu tidak ada di ruang kerja ini',
  ],
  'reference.several': [
    'must be an id: several {what}s have that name ({ids})',
    'harus berupa id: {ids} adalah {what} dengan nama itu',
  ],
  'branch.condition': [
    'must be goal, {opened: <step>} or {clicked: <step>}',
    'harus goal, {opened: <langkah>}, atau {clicked: <langkah>}',
  ],
  'branch.goal': [
    'asks for the goal, but the journey has none',
    'menanyakan tujuan, tetapi perjalanan ini tidak punya tujuan',
  ],
  'branch.step': [
    'must name an email step on the way to it: {mails}',
    'harus menyebut langkah email di jalur menuju langkah ini: {mails}',
  ],
  'branch.none': [
    'must name an email step on the way to it; there is none',
    'harus menyebut langkah email di jalur menuju langkah ini; tidak ada satu pun',
  ],
  'array.max': ['must not have more than {limit} items', 'maksimal {limit} item'],
  'text.max': ['must not be greater than {limit} characters', 'maksimal {limit} karakter'],
  'consent.required': ['must be true', 'harus true'],
  'email.invalid': ['must be a valid email address', 'harus berupa alamat email yang benar'],
  'email.named': [
    'must be only an email address, without a name: {address}',
    'harus berupa alamat email saja: {address}, tanpa nama',
  ],
  'email.local': ['must have only ASCII characters before the @', 'hanya boleh berisi karakter ASCII sebelum @'],
  'filename.empty': [
    'has no characters that are allowed in a file name',
    'tidak punya karakter yang diizinkan dalam nama file',
  ],
  'filename.risky': ['has a file extension that is not allowed', 'punya ekstensi file yang tidak diizinkan'],
  'filename.hides': [
    'must not contain ; or ::, nor a file extension that is not allowed before a colon',
    'tidak boleh berisi ; atau ::, atau ekstensi file yang tidak diizinkan sebelum titik dua',
  ],
  'url.invalid': ['must be a valid URL', 'harus berupa URL yang benar'],
  'url.https': ['must be a URL that begins with https://', 'harus berupa URL yang diawali https://'],
  'url.credentials': ['must not have a user name or a password', 'tidak boleh berisi nama pengguna atau kata sandi'],
  'url.internal': [
    'must not point to an internal or private network. For development, your administrator can allow hosts with KURIR_WEBHOOK_PRIVATE_HOSTS',
    'tidak boleh menuju jaringan internal atau pribadi. Untuk pengembangan, administrator Anda bisa mengizinkan host dengan KURIR_WEBHOOK_PRIVATE_HOSTS',
  ],
  'url.unresolved': ['must have a host that resolves in DNS', 'harus punya host yang dikenal DNS'],
  'url.unanswered': [
    'has a host that DNS did not respond for; try again later',
    'punya host yang tidak dijawab DNS; coba lagi nanti',
  ],
  'base64.invalid': [
    'must be valid base64 (standard alphabet, padded, no line breaks, not a data URL)',
    'harus berupa base64 yang benar (alfabet baku, dengan padding, tanpa baris baru, bukan data URL)',
  ],
  'mime.invalid': ['must be a MIME type such as application/pdf', 'harus berupa jenis MIME seperti application/pdf'],
  'mime.risky': [
    'has a MIME type that is not allowed: that of a program or script',
    'punya jenis MIME yang tidak diizinkan: milik program atau skrip',
  ],
  'attachments.size': ['must not be greater than 10 MB in total', 'maksimal 10 MB seluruhnya'],
  'metadata.keys': ['must not have more than {limit} keys', 'maksimal {limit} kunci'],
  'metadata.key': [
    'The {field} field must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -',
    '{field} harus punya kunci 1 sampai 40 karakter dari A-Z a-z 0-9 _ . -',
  ],
  'metadata.value': ['must be a string, a number, a boolean or null', 'harus berupa teks, angka, boolean, atau null'],
} satisfies Record<string, Sentence>;
export type FaultCode = keyof typeof RULES;

const framed = reasonsOf({ field: ['The {field} field {rule}.', '{field} {rule}.'] });

/** One validation error of a field. */
export function validationMessage(code: FaultCode, field: string, context: Context = {}): Reason {
  const sentence: Sentence = RULES[code];
  // Of what a rule tells, which may hold the whole value, only what is said.
  const names = sentence[0].match(/(?<=\{)\w+(?=\})/g) ?? [];
  const values = Object.fromEntries(names.map((name) => [name, name === 'field' ? field : (context[name] as Value)]));
  const rule = new Reason(code, sentence, values);
  return sentence[0].includes('{field}') ? rule : framed('field', { field, rule });
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
  const [first, ...more] = Object.values(errors).flat();
  if (more.length === 0) return String(first ?? '');
  return `${String(first)} (and ${more.length} more ${more.length === 1 ? 'error' : 'errors'})`;
}

/** The errors as callers get them. */
export const inEnglish = (errors: FieldErrors): Record<string, string[]> =>
  Object.fromEntries(Object.entries(errors).map(([field, all]) => [field, all.map(String)]));

/** All errors in one line. */
export const allErrors = (errors: FieldErrors): Reason => joined(Object.values(errors).flat(), ' ');
