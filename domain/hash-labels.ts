/** What a text is hashed for, and with which key. */
interface HashUse {
  what: string;
  /** Hashes from before uses had keys of their own are stored, and still count (`Keyring.olderHash`). */
  older: boolean;
}

/**
 * Everything that `Keyring.hash` is for: each use has a key of its own, derived from its label, so that no hash says or
 * proves anything in another use (docs/decisions/0074-each-keyed-hash-has-its-own-label.md). A label never changes:
 * what is stored was hashed with it. That of `callers-keys` once was for all of them.
 */
export const HASH_LABELS = {
  'callers-keys': { what: 'idempotency keys and order ids that may hold an address, kept for ever', older: false },
  'recovery-codes': { what: 'recovery codes of two-factor authentication, kept until they are used', older: true },
  'image-ids': { what: 'addresses of images on the public host, kept with the images', older: true },
  'smtp-networks': { what: 'networks that SMTP logins were right from, kept for 30 days', older: true },
  'smtp-names': { what: 'user names of wrong SMTP logins, in counters of a minute', older: false },
  'csrf-tokens': { what: 'tokens in the forms of a session, not stored', older: false },
  'passkey-challenges': { what: 'seals of challenges of a sign-in, for a quarter of an hour', older: false },
  'passkey-users': { what: 'user handles of passkeys, kept on the devices and compared nowhere', older: false },
} as const satisfies Record<string, HashUse>;

export type HashLabel = keyof typeof HASH_LABELS;
/** Those of which older hashes are stored. */
export type OlderLabel = { [L in HashLabel]: (typeof HASH_LABELS)[L]['older'] extends true ? L : never }[HashLabel];
