import { coded, FieldList, nested, plain, type Values } from '../../../lib/fields';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance, Recipient } from '../../ports/message-store';
import { MESSAGE_FACTS } from './message-fields';

type AddressValues = readonly [workspaceId: number, email: string, emailHash: string, name: string | null, at: number];

const toAddressValues = ({ workspaceId, email, emailHash, name, at }: NewContact): AddressValues => [
  workspaceId,
  email,
  emailHash,
  name,
  at,
];

function toAddress([workspaceId, email, emailHash, name, at]: AddressValues): NewContact {
  return { workspaceId, email, emailHash, name, at };
}

const ACCEPTANCE = new FieldList<Acceptance>({
  facts: nested(MESSAGE_FACTS.without('contactId').unencoded()),
  // A number is the id of a contact.
  recipient: coded<Recipient, AddressValues | number>(
    (recipient) => ('contact' in recipient ? recipient.contact : toAddressValues(recipient.address)),
    (written) => (typeof written === 'number' ? { contact: written } : { address: toAddress(written) }),
  ),
  body: coded<Acceptance['body'], [html: string, text: string | null] | null>(
    (body) => body && [body.html, body.text],
    (written) => written && { html: written[0], text: written[1] },
  ),
  attachments: plain,
  attachmentsUntil: plain,
  idempotencyKey: plain,
  records: plain,
});

/** An Acceptance in the form sent between threads. Its thirty field names would make up half of the cost. */
export type AcceptanceRow = Values<Acceptance>;

/** Encodes an acceptance as a row. */
export const toAcceptanceRow = (acceptance: Acceptance): AcceptanceRow => ACCEPTANCE.encode(acceptance);

/** Decodes an acceptance from a row. */
export const toAcceptance = (row: AcceptanceRow): Acceptance => ACCEPTANCE.decode(row);
