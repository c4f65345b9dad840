import type { MessageBody } from '../../../domain/message';
import { FieldList, nested, plain, type Codec, type Values } from '../../../lib/fields';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance, Recipient } from '../../ports/message-store';
import { MESSAGE_FACTS } from './message-fields';

const BODY = new FieldList<MessageBody>({ html: plain, text: plain });

const ADDRESS = new FieldList<NewContact>({
  workspaceId: plain,
  email: plain,
  emailHash: plain,
  name: plain,
  at: plain,
});

/** A number is a contact id. */
const RECIPIENT: Codec<Recipient> = {
  encode: (recipient) => ('contact' in recipient ? recipient.contact : ADDRESS.encode(recipient.address)),
  decode: (written) =>
    typeof written === 'number' ? { contact: written } : { address: ADDRESS.decode(written as Values<NewContact>) },
};

const ACCEPTANCE = new FieldList<Acceptance>({
  facts: nested(MESSAGE_FACTS.without('contactId').unencoded()),
  recipient: RECIPIENT,
  body: nested(BODY),
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
