import type { MessageBody } from '../../../domain/message';
import { FieldList, nested, plain, type Codec, type Values } from '../../../lib/fields';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance } from '../../ports/message-store';
import { MESSAGE_FACTS } from './message-fields';

const BODY = new FieldList<MessageBody>({ html: plain, text: plain });

const ADDRESS = new FieldList<NewContact>({
  workspaceId: plain,
  email: plain,
  emailHash: plain,
  name: plain,
  at: plain,
});

const ADDRESSEE: Codec<NewContact | undefined> = {
  encode: (addressee) => addressee && ADDRESS.encode(addressee),
  decode: (written) => (written === undefined ? undefined : ADDRESS.decode(written as Values<NewContact>)),
};

/** An Acceptance as it passes between threads: half of what that costs are the names of its fields, of which there are thirty. */
export const ACCEPTANCE = new FieldList<Acceptance>({
  facts: nested(MESSAGE_FACTS.unencoded()),
  addressee: ADDRESSEE,
  body: nested(BODY),
  attachments: plain,
  attachmentsUntil: plain,
  idempotencyKey: plain,
  records: plain,
});

export type AcceptanceRow = Values<Acceptance>;
