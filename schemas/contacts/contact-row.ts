import { CONTACT_STATUSES, type ContactStatus } from '../../domain/contacts/contact';
import { reasonsOf, type Reason } from '../../lib/reason';
import { canonicalAddress } from '../rules/email-address';
import { newContactRules, newContactShape } from './new-contact';
import { normalize } from '../rules/normalize';
import { validate } from '../rules/rules';
import { allErrors } from '../rules/validation-messages';
import { readStanding, strongest, type Meaning } from './read-status';
import { STATUS_FIELDS, type Reading } from './status-columns';

/** What spreadsheets and exports of other services call the address. */
export const EMAIL_NAMES = [
  'e-mail',
  'email address',
  'e-mail address',
  'surel',
  'alamat email',
  'alamat surel',
  'subscriber email',
  'contact email',
  'email 1',
] as const;

/**
 * The columns that say who a contact is, each with its other names: those of spreadsheets in English and Indonesian,
 * and of the exports of other services. `email` must be there.
 */
export const IDENTITY_COLUMNS = {
  email: EMAIL_NAMES,
  name: ['nama', 'full name', 'nama lengkap'],
  first_name: ['first name', 'firstname', 'nama depan'],
  last_name: ['last name', 'lastname', 'nama belakang'],
} as const;
export type IdentityField = keyof typeof IDENTITY_COLUMNS;

/** What a column of a file of contacts may be named as. */
export const CONTACT_FIELDS = [...(Object.keys(IDENTITY_COLUMNS) as IdentityField[]), ...STATUS_FIELDS] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** A contact as a line of a file gives it: the address in its canonical spelling. */
export interface ContactRow {
  email: string;
  name: string | null;
  status: ContactStatus;
}

/** A cell of a column that says who may get mail. */
export interface StatusCell {
  /** The column, as the file calls it. */
  name: string;
  reading: Reading;
  cell: string;
}

type Cells = Readonly<Partial<Record<IdentityField, string>>>;

/**
 * Checks the cells of a line by the rules of POST /contacts (docs/contract.md#create-a-contact). Of what its columns
 * say, the strongest counts; without any the contact is subscribed. One that has not confirmed is refused. Returns the
 * contact, or what is wrong in one sentence.
 */
export function checkContactRow(cells: Cells, standings: readonly StatusCell[] = []): ContactRow | Reason {
  const fields = normalize(newContactShape, { email: cells.email, name: nameOf(cells) }, 'json');
  const checked = validate(newContactRules, { ...fields, consent: true });
  if (!checked.ok) return allErrors(checked.errors);
  const said: (Meaning | null)[] = [];
  for (const cell of standings) {
    const meaning = readStanding(cell.reading, cell.cell);
    if (meaning === undefined) return notUnderstood(cell);
    said.push(meaning);
  }
  const status = strongest(said);
  if (status === 'unconfirmed') return notConfirmed(standings[said.indexOf('unconfirmed')]!);
  return { email: canonicalAddress(checked.value.email), name: checked.value.name ?? null, status };
}

const refused = reasonsOf({
  status: ['The {name} must be one of {valids}.', '{name} harus salah satu dari {valids}.'],
  confirmed: ['The {name} must be yes or no.', '{name} harus yes atau no.'],
  not_confirmed: [
    'The contact has not agreed to receive email, or has not confirmed it: {name} is {value}.',
    'Kontak belum setuju menerima email, atau belum mengonfirmasinya: {name} berisi {value}.',
  ],
});

const notUnderstood = ({ name, reading }: StatusCell): Reason =>
  reading === 'status' ? refused('status', { name, valids: CONTACT_STATUSES }) : refused('confirmed', { name });

const notConfirmed = ({ name, cell }: StatusCell): Reason =>
  refused('not_confirmed', { name, value: JSON.stringify(cell.trim()) });

/** The name, or first and last name where there is none. */
function nameOf({ name, first_name: first, last_name: last }: Cells): string | undefined {
  if (name?.trim() || (first === undefined && last === undefined)) return name;
  return [first, last].flatMap((part) => part?.trim() || []).join(' ');
}
