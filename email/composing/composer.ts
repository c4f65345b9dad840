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

/**
 * Writes and signs mails: most of the processor time of a mail and all of that of a large one, so never on the thread that serves
 * requests.
 */
export interface Composer {
  /**
   * Rejects when the mail cannot be built or its key cannot sign; an unsigned mail is never returned. The attachments of the
   * order are of no use to the caller any more.
   */
  make(order: MailOrder): Promise<SignedMail>;
  close(): Promise<void>;
}

/** Composes in the caller's thread and signs on libuv's pool. */
export const poolComposer: Composer = {
  make: async (order) => {
    const { mail, data, signedWith } = unsigned(order);
    const signature = await new Promise<Buffer>((resolve, reject) => {
      sign('sha256', Buffer.from(data, 'utf8'), order.key, (error, made) => (error ? reject(error) : resolve(made)));
    });
    return { raw: signedWith(signature.toString('base64')), destinations: mail.destinations };
  },
  close: async () => undefined,
};

/** The same in one go, on the thread of the caller. Throws instead of rejecting. */
export function makeAtOnce(order: MailOrder): SignedMail {
  const { mail, data, signedWith } = unsigned(order);
  const signature = sign('sha256', Buffer.from(data, 'utf8'), order.key);
  return { raw: signedWith(signature.toString('base64')), destinations: mail.destinations };
}

function unsigned(order: MailOrder) {
  const mail = compose(order);
  return { mail, ...signable(mail, { domain: order.sendingDomain, selector: order.selector, now: order.now }) };
}
