import { CONTACT_STATUSES, type ContactStatus } from '../../domain/contacts/contact';
import { canonicalAddress } from '../rules/email-address';
import { newContactRules, newContactShape } from './new-contact';
import { normalize } from '../rules/normalize';
import { validate } from '../rules/rules';

/** What spreadsheets and exports of other services call the address. */
export const EMAIL_NAMES = [
  'e-mail',
  'email address',
  'e-mail address',
  'surel',
  'alamat email',
  'alamat surel',
] as const;

/**
 * The columns of a file of contacts, each with its other names: those of spreadsheets in English and Indonesian, and of
 * the exports of Mailchimp, Brevo and listmonk. `email` must be there.
 */
export const CONTACT_COLUMNS = {
  email: EMAIL_NAMES,
  name: ['nama', 'full name', 'nama lengkap'],
  status: [],
  first_name: ['first name', 'firstname', 'nama depan'],
  last_name: ['last name', 'lastname', 'nama belakang'],
  unsubscribed_at: ['unsub_time'],
  cleaned_at: ['clean_time'],
} as const;
export type ContactColumn = keyof typeof CONTACT_COLUMNS;

/** A contact as a line of a file gives it: the address in its canonical spelling. */
export interface ContactRow {
  email: string;
  name: string | null;
  status: ContactStatus;
}

/** What listmonk (enabled, disabled, blocklisted) and Mailchimp (cleaned) call a status. */
const OTHER_STATUSES: Readonly<Record<string, ContactStatus>> = {
  enabled: 'subscribed',
  disabled: 'unsubscribed',
  blocklisted: 'unsubscribed',
  cleaned: 'bounced',
};

type Cells = Readonly<Partial<Record<ContactColumn, string>>>;

/**
 * Checks the cells of a line by the rules of POST /contacts (docs/contract.md#create-a-contact). `status` may be any of
 * a contact's, in any case. Without one, a time of unsubscribing or cleaning tells it; else the contact is subscribed.
 * Returns the contact, or what is wrong in one sentence.
 */
export function checkContactRow(cells: Cells): ContactRow | string {
  const fields = normalize(newContactShape, { email: cells.email, name: nameOf(cells) }, 'json');
  const checked = validate(newContactRules, { ...fields, consent: true });
  if (!checked.ok) return Object.values(checked.errors).flat().join(' ');
  const status = statusOf(cells);
  if (status === undefined) return `The status must be one of ${CONTACT_STATUSES.join(', ')}.`;
  return { email: canonicalAddress(checked.value.email), name: checked.value.name ?? null, status };
}

/** The name, or first and last name where there is none. */
function nameOf({ name, first_name: first, last_name: last }: Cells): string | undefined {
  if (name?.trim() || (first === undefined && last === undefined)) return name;
  return [first, last].flatMap((part) => part?.trim() || []).join(' ');
}

function statusOf({
  status,
  unsubscribed_at: unsubscribedAt,
  cleaned_at: cleanedAt,
}: Cells): ContactStatus | undefined {
  const word = status?.trim().toLowerCase() ?? '';
  if (word !== '') return CONTACT_STATUSES.find((known) => known === word) ?? OTHER_STATUSES[word];
  if (cleanedAt?.trim()) return 'bounced';
  return unsubscribedAt?.trim() ? 'unsubscribed' : 'subscribed';
}
