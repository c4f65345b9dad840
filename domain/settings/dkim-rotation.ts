import { DAY } from '../../lib/clock';

/** A key that is to sign once its record is in the DNS. */
export interface PendingDkimKey {
  selector: string;
  /** As `dkimKeySealed` of the domain. */
  keySealed: string;
}

/** A key that signs no more: the private half is gone, its record must stay published for a while. */
export interface RetiredDkimKey {
  selector: string;
  /** The TXT value of its record. */
  value: string;
  /** From then on nobody needs the record, ms. */
  until: number;
}

/** The key that a domain signs with, the one that is to follow it, and those before it. */
export interface DkimKeys {
  dkimSelector: string;
  /** PKCS#8 PEM of the RSA-2048 key, sealed (AES-256-GCM). */
  dkimKeySealed: string;
  /** Null: no rotation is under way. */
  dkimPending: PendingDkimKey | null;
  dkimRetired: RetiredDkimKey[];
}

/** The keys of a domain alone. */
export const dkimKeysOf = ({ dkimSelector, dkimKeySealed, dkimPending, dkimRetired }: DkimKeys): DkimKeys => ({
  dkimSelector,
  dkimKeySealed,
  dkimPending,
  dkimRetired,
});

/** A new domain has one key. */
export const NEW_DKIM: Readonly<Pick<DkimKeys, 'dkimPending' | 'dkimRetired'>> = { dkimPending: null, dkimRetired: [] };

/**
 * How long the record of a retired key must stay, ms: longer than a sending server keeps a mail in its queue (five days
 * by default), and receivers may verify a mail some time after they took it.
 */
export const RETIRED_FOR = 7 * DAY;
/** How long it is said that the record may be removed now, ms. */
const SAID_FOR = 30 * DAY;

/** A selector of its own for a key that is made now; `random` sets it apart from the others of the day. */
export const newSelector = (now: number, random: string): string =>
  `kurir-${new Date(now).toISOString().slice(0, 10).replaceAll('-', '')}-${random}`;

/** The retired keys of which there still is something to say. */
export const retiredKeys = ({ dkimRetired }: Pick<DkimKeys, 'dkimRetired'>, now: number): RetiredDkimKey[] =>
  dkimRetired.filter(({ until }) => until + SAID_FOR > now);

/** The keys once the pending one signs; `value` is the record of the one that signed until now. */
export function activated(
  keys: DkimKeys,
  { selector, keySealed }: PendingDkimKey,
  value: string,
  now: number,
): DkimKeys {
  const retired = { selector: keys.dkimSelector, value, until: now + RETIRED_FOR };
  return {
    dkimSelector: selector,
    dkimKeySealed: keySealed,
    dkimPending: null,
    dkimRetired: [...retiredKeys(keys, now), retired],
  };
}
