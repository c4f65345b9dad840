import { texts } from '../texts';

/** What a mail takes with its merge tags filled, in bytes, before it is filled. */
export interface FilledSize {
  /** Of the mail as it is sent, without the line breaks of its encoding: never more than it has in the end. */
  mail: number;
  /** Of the destinations of its tracked links, which are stored with the message. */
  links: number;
}

/** Bytes of the destinations of one mail's links. A document of MongoDB has 16 MB. */
const MAX_LINKS = 8_000_000;

/** Why a server that takes no more than `largest` bytes can never take a mail; null when it can. */
export function mailSizeRefusal(bytes: number, largest: number): string | null {
  return bytes > largest ? texts.mailTooLarge(bytes, largest) : null;
}

/**
 * Why a mail is not filled: it would be larger than `largest` bytes, or its links would
 * (docs/contract.md#size-of-a-filled-mail). Null: it may be filled.
 */
export function filledSizeRefusal({ mail, links }: FilledSize, largest: number): string | null {
  return mailSizeRefusal(mail, largest) ?? mailSizeRefusal(links, MAX_LINKS);
}
