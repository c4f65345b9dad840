import { coded, FieldList, nested, plain, type Values } from '../../../lib/fields';
import type { ContactStatus } from '../../../domain/contacts/contact';
import type { MessageBody, Variables } from '../../../domain/messages/message';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance, CheckedContact, Recipient } from '../../ports/message-store';
import { FACTS } from './message-fields';

type AddressValues = readonly [
  workspaceId: number,
  email: string,
  emailHash: string,
  name: string | null,
  at: number,
  status?: ContactStatus,
];

const toAddressValues = ({ workspaceId, email, emailHash, name, at, status }: NewContact): AddressValues =>
  status === undefined ? [workspaceId, email, emailHash, name, at] : [workspaceId, email, emailHash, name, at, status];

function toAddress([workspaceId, email, emailHash, name, at, status]: AddressValues): NewContact {
  return { workspaceId, email, emailHash, name, at, ...(status && { status }) };
}

function encodeRecipient(recipient: Recipient): AddressValues | number | CheckedContact {
  if ('address' in recipient) return toAddressValues(recipient.address);
  return 'contact' in recipient ? recipient.contact : recipient.checked;
}

function decodeRecipient(written: AddressValues | number | CheckedContact): Recipient {
  if (typeof written === 'number') return { contact: written };
  return 'id' in written ? { checked: written } : { address: toAddress(written) };
}

type BodyValues = readonly [html: string, text: string | null, variables: Variables | null];

const toBody = ([html, text, variables]: BodyValues): MessageBody => ({ html, text, ...(variables && { variables }) });

const ACCEPTANCE = new FieldList<Acceptance>({
  facts: nested(FACTS.without('contactId').unencoded()),
  // A number is the id of a contact, an object a contact that is checked.
  recipient: coded<Recipient, AddressValues | number | CheckedContact>(encodeRecipient, decodeRecipient),
  body: coded<Acceptance['body'], BodyValues | null>(
    (body) => body && [body.html, body.text, body.variables ?? null],
    (written) => written && toBody(written),
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
