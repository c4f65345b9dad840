import type { Keyring } from '../../domain/keyring';
import { messageLinks } from '../../domain/messages/message-tokens';

/** Link `n` of a mail leads to this and n. */
const PAGE_OF_LINK = 'https://toko.example/p/';
/** Tracked links of a mail. Each is clicked once, and the mail is opened once. */
const LINKS = 38;
/** Events of a mail: delivered, an open, and the clicks. */
export const EVENTS_OF_MAIL = LINKS + 2;
export const HTML = `<p>Halo</p>${Array.from({ length: LINKS }, (_, n) => `<a href="${PAGE_OF_LINK}${n}">${n}</a>`).join(' ')}`;

/** A visit of a page of one message. */
export interface Hit {
  /** See `eventName`. */
  event: string;
  path: string;
}

/** What is needed of a webhook's body to name its event. */
export interface Payload {
  message_id: string;
  event: string;
  url?: string;
}

/** `<message id> delivered`, `<message id> open`, or `<message id> click <number of the link>`. */
export function eventName({ message_id, event, url }: Payload): string {
  return url === undefined ? `${message_id} ${event}` : `${message_id} ${event} ${url.slice(PAGE_OF_LINK.length)}`;
}

/** An open and every click of these mails. */
export function* visitsOf(messageIds: readonly string[], keyring: Keyring): Generator<Hit, undefined> {
  for (let n = -1; n < LINKS; n += 1) {
    for (const id of messageIds) {
      const { open, clicks } = messageLinks(keyring, '', id);
      yield n < 0 ? { event: `${id} open`, path: open } : { event: `${id} click ${n}`, path: `${clicks}${n}` };
    }
  }
}
