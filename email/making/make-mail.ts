import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { compose, type ComposeInput } from '../compose';
import { signMail } from '../dkim';
import { loadDkimKey } from '../dkim-key';

/** A mail to build and sign: plain data, so that it can go to another thread. */
export interface MailOrder extends ComposeInput {
  /** DKIM selector of the sending domain, and its private key, which signs. */
  selector: string;
  privateKeyPem: string;
}

export interface MadeMail {
  /** The signed mail, CRLF throughout. */
  raw: Buffer;
  /** Destinations of the tracked links, by number. */
  destinations: string[];
}

/** A way to have mails made: in this thread, or in others. */
export interface MailMaker {
  /** Rejects when the mail cannot be built or signed; nothing is ever made unsigned. */
  make(order: MailOrder): Promise<MadeMail>;
  close(): Promise<void>;
}

/** Parsing a key costs twice the signature (DESIGN section 8). */
const keys = new LRUCache<string, KeyObject>({ max: 1_000 });

/** Builds and signs a mail, in some 300 us of which the signature takes most. Throws when it cannot. */
export function makeMail(order: MailOrder): MadeMail {
  const mail = compose(order);
  const { sendingDomain: domain, selector, now } = order;
  return { raw: signMail(mail, { domain, selector, now, key: keyOf(order) }), destinations: mail.destinations };
}

function keyOf({ privateKeyPem }: MailOrder): KeyObject {
  const known = keys.get(privateKeyPem);
  if (known) return known;
  const key = loadDkimKey(privateKeyPem);
  keys.set(privateKeyPem, key);
  return key;
}

/** Makes mails in the caller's thread. */
export const makerInPlace: MailMaker = {
  make: async (order) => makeMail(order),
  close: async () => undefined,
};
