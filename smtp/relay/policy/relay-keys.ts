import { createHash } from 'node:crypto';
import type { Keyring } from '../../../domain/keyring';
import type { SubmittedMail } from '../mail/submitted-mail';
import type { Login } from './policy-deps';

/**
 * The idempotency key of one recipient's message, by which the same mail is known again
 * (docs/contract.md#relay-repeats). `first`: the id of the message that holds the key without it, when that one is too
 * old to count.
 */
export type KeyOf = (first: string | null) => string;

/** The key of each recipient, and whether it ends after a day. Null: a mail that is never known again. */
export interface RelayKeys {
  expires: boolean;
  /** `email` is the canonical address. */
  of(email: string): KeyOf;
}

/**
 * The keys of a mail. They are apart from those of POST /messages, which have at most 100 characters. They hold no
 * address that could be read, since keys are kept for ever.
 */
export function relayKeys(keyring: Keyring, { username }: Login, mail: SubmittedMail): RelayKeys | null {
  // Keys of a release before count for a day: what was not read then stays out of them.
  const { messageId, idempotencyKey, thread: _thread, unknownCharset: _unknown, ...content } = mail;
  if (idempotencyKey !== null) {
    return { expires: false, of: (email) => () => toKey(keyring, ['key', idempotencyKey, email]) };
  }
  if (messageId === null) return null;
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return {
    expires: true,
    of: (email) => (first) => toKey(keyring, ['mail', username, messageId, email, digest, ...(first ? [first] : [])]),
  };
}

const toKey = (keyring: Keyring, facts: readonly string[]): string => `smtp:${keyring.hashMail(facts)}`;
