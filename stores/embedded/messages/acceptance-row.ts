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

/** A number is the id of a contact. */
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

/** An Acceptance as it passes between threads: half of what that costs are the names of its fields, of which there are thirty. */
export type AcceptanceRow = Values<Acceptance>;

/** The row of an acceptance. */
export const toAcceptanceRow = (acceptance: Acceptance): AcceptanceRow => ACCEPTANCE.encode(acceptance);

/** The acceptance of a row. */
export const toAcceptance = (row: AcceptanceRow): Acceptance => ACCEPTANCE.decode(row);
