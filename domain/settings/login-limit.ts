import { DAY, HOUR } from '../../lib/clock';

/** Wrong logins of a minute that are looked at: of a user name from one network, of a name, and from a network. */
export const WRONG_LOGINS = { ofPair: 20, ofName: 20, fromNetwork: 60 } as const;

/** Wrong logins of this minute so far. */
export type WrongLoginCounts = Readonly<Record<keyof typeof WRONG_LOGINS, number>>;

/** Networks of a login that are remembered: the latest ones. */
export const KNOWN_NETWORKS = 50;
/** How long a network is known after a right login, ms. */
export const KNOWN_FOR = 30 * DAY;
/** A network that was remembered so short ago is not written again, ms. */
const FRESH_FOR = 6 * HOUR;

/**
 * True when a password may be tried (docs/contract.md#relay-logins). Wrong logins of other networks keep out only a
 * network that was wrong itself and is not a known one of this login: they never keep the owner out from elsewhere.
 */
export function mayTryLogin({ ofPair, ofName, fromNetwork }: WrongLoginCounts, isKnown: boolean): boolean {
  if (ofPair >= WRONG_LOGINS.ofPair || fromNetwork >= WRONG_LOGINS.fromNetwork) return false;
  return ofName < WRONG_LOGINS.ofName || ofPair === 0 || isKnown;
}

/** `at`: the last right login from the network, ms; null when none is remembered. */
export const isKnownNetwork = (at: number | null, now: number): boolean => at !== null && now < at + KNOWN_FOR;

/** True when a right login from the network is to be written down. */
export const isToBeRemembered = (at: number | null, now: number): boolean => at === null || now >= at + FRESH_FOR;
