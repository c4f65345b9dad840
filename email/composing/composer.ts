import { sign, type KeyObject } from 'node:crypto';
import { compose, type ComposeInput } from '../compose';
import { signable } from '../dkim';

/** Everything that makes the bytes of one mail. */
export interface MailOrder extends ComposeInput {
  selector: string;
  /** From `loadDkimKey`; of the sending domain. */
  key: KeyObject;
}

/** A mail that can be handed to a sending server. */
export interface SignedMail {
  raw: Buffer;
  /** Destinations of the tracked links, by number. */
  destinations: string[];
}

/** The attachments of an order went with what was to compose it; an order made of the stored message anew can be composed. */
export class AttachmentsGoneError extends Error {
  override readonly name = 'AttachmentsGoneError';
}

/**
 * Writes and signs mails: most of the processor time of a mail and all of that of a large one, so never on the thread that serves
 * requests.
 */
export interface Composer {
  /**
   * Rejects when the mail cannot be built or its key cannot sign, and with AttachmentsGoneError; an unsigned mail is never
   * returned. The attachments of the order are of no use to the caller any more.
   */
  make(order: MailOrder): Promise<SignedMail>;
  close(): Promise<void>;
}

/** Composes in the caller's thread and signs on libuv's pool. */
export const poolComposer: Composer = {
  make: async (order) => {
    const { data, finish } = unsigned(order);
    return new Promise((resolve, reject) => {
      sign('sha256', data, order.key, (error, signature) => (error ? reject(error) : resolve(finish(signature))));
    });
  },
  close: async () => undefined,
};

/** The same in one go, in the caller's thread. Throws instead of rejecting. */
export function makeAtOnce(order: MailOrder): SignedMail {
  const { data, finish } = unsigned(order);
  return finish(sign('sha256', data, order.key));
}

/** What is to be signed, and the mail once it is. */
function unsigned(order: MailOrder): { data: Buffer; finish: (signature: Buffer) => SignedMail } {
  const mail = compose(order);
  const { data, signedWith } = signable(mail, {
    domain: order.sendingDomain,
    selector: order.selector,
    now: order.now,
  });
  const { destinations } = mail;
  const finish = (signature: Buffer): SignedMail => ({ raw: signedWith(signature.toString('base64')), destinations });
  return { data: Buffer.from(data, 'utf8'), finish };
}
