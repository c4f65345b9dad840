import { CONTACT_STATUSES, type ContactStatus } from '../domain/contact';
import { canonicalAddress } from './email-address';
import { newContactRules, newContactShape } from './new-contact';
import { normalize } from './normalize';
import { validate } from './rules';

/** The columns of a file of contacts that are read; `email` must be there. */
export const CONTACT_COLUMNS = ['email', 'name', 'status'] as const;
export type ContactColumn = (typeof CONTACT_COLUMNS)[number];

/** A contact as a line of a file gives it: the address in its canonical spelling. */
export interface ContactRow {
  email: string;
  name: string | null;
  status: ContactStatus;
}

/**
 * Checks the cells of a line by the rules of POST /contacts (docs/contract.md#create-a-contact). `status` may be any of a
 * contact's, in any case; without one the contact is subscribed. Returns the contact, or what is wrong in one sentence.
 */
export function checkContactRow(cells: Readonly<Partial<Record<ContactColumn, string>>>): ContactRow | string {
  const fields = normalize(newContactShape, { email: cells.email, name: cells.name }, 'json');
  const checked = validate(newContactRules, { ...fields, consent: true });
  if (!checked.ok) return Object.values(checked.errors).flat().join(' ');
  const word = cells.status?.trim().toLowerCase() ?? '';
  const status = word === '' ? 'subscribed' : CONTACT_STATUSES.find((known) => known === word);
  if (status === undefined) return `The status must be one of ${CONTACT_STATUSES.join(', ')}.`;
  return { email: canonicalAddress(checked.value.email), name: checked.value.name ?? null, status };
}
