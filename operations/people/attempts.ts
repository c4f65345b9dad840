import { OvertakenError } from '../../lib/errors';
import { clientNetwork } from '../../lib/client-network';
import { DAY, MINUTE, SECOND } from '../../lib/clock';
import { epochOf } from '../../domain/people/account-trust';
import { record, type RecordEntry } from '../../domain/records/record';
import { browserOf } from './known-browsers';
import { userOf, type PeopleDeps } from './people';
import type { FactorDeps } from './second-factor';

/** Failures that cost no wait: people mistype. */
const FREE = 5;
/** The same of codes: six digits are soon guessed. */
const FREE_CODES = 3;
const FIRST_WAIT = 2 * SECOND;
const LONGEST_WAIT = 15 * MINUTE;
/**
 * The longest wait of an account for those who never signed in to it: some 90 guesses an hour from wherever they come
 * (ASVS 2.2.1 allows a hundred), and whoever guesses on purpose keeps a newcomer out for no longer than this.
 */
const LONGEST_OF_ACCOUNT = 40 * SECOND;
/** Failures are forgotten after this time without another, ms. */
const REMEMBERED = 60 * MINUTE;
/** For how long a network counts as one that its owner signs in from, ms. */
const KNOWN_FOR = 30 * DAY;

/** Who tries: an account, from which network address, and in which browser or session. */
export interface Attempt {
  email: string;
  address: string;
  /** What the browser keeps of earlier sign-ins (known-browsers.ts). */
  browser?: string | undefined;
  /** The id of the session of somebody who is signed in and shows again who it is. */
  session?: string | undefined;
}

/** What is tried: a password; the second factor after it; a passkey, which cannot be guessed. */
export type Tried = 'password' | 'second' | 'passkey';

/** Where failures are counted. */
interface Count {
  id: string;
  longest: number;
  /** Others count there, too: a success takes its own attempt back, and forgets no failure. */
  isShared: boolean;
  /** Failures that cost no wait. */
  free: number;
}

const count = (id: string, more: Partial<Count> = {}): Count => ({
  id,
  longest: LONGEST_WAIT,
  isShared: false,
  free: FREE,
  ...more,
});

/** By its network: who has an IPv6 address has the 2^64 beside it as well. */
const networkOf = ({ address }: Attempt): string => clientNetwork(address);
const knownId = ({ email, address }: Attempt, epoch: number): string =>
  `known ${epoch} ${clientNetwork(address)} ${email}`;

/**
 * Those who have signed in to the account before, by their session, browser or network, count on their own: what
 * others guess elsewhere does not keep them out. All others count by network, and by account whichever it is.
 */
async function countsOf(deps: FactorDeps, attempt: Attempt, tried: Tried): Promise<Count[]> {
  const own = await ownCount(deps, attempt, tried);
  if (own !== null) return [count(own)];
  // A guessed password costs nobody a passkey.
  if (tried === 'passkey') return [count(`passkey ${networkOf(attempt)}`, { isShared: true })];
  const network = count(`address ${networkOf(attempt)}`, { isShared: true });
  // Only who has the password gets to the second factor.
  if (tried === 'second') return [network, count(`second ${attempt.email}`, { free: FREE_CODES })];
  return [network, count(`account ${attempt.email}`, { longest: LONGEST_OF_ACCOUNT })];
}

async function ownCount(deps: FactorDeps, attempt: Attempt, tried: Tried): Promise<string | null> {
  if (attempt.session !== undefined) return `session ${attempt.session}`;
  const { email } = attempt;
  const user = await userOf(deps, email);
  if (!user) return null;
  const epoch = epochOf(user.body);
  const browser = browserOf(deps, { email, epoch }, attempt.browser);
  if (browser !== null) return `browser ${browser}`;
  if (tried === 'passkey') return null;
  const isKnown = (await deps.records.get(ATTEMPTS, knownId(attempt, epoch), deps.clock.now())) !== null;
  return isKnown ? `from ${networkOf(attempt)} ${email}` : null;
}

const untilAfter = (failures: number, now: number, { longest, free }: Count): number =>
  failures <= free ? 0 : now + Math.min(longest, FIRST_WAIT * 2 ** (failures - free - 1));

/** Failed sign-ins of an account or from an address. */
export interface AttemptsBody {
  failures: number;
  /** No further attempt before this time, ms. */
  until: number;
}
export const ATTEMPTS = record<AttemptsBody>('attempts', { setBack });

/** They wait no longer than others. */
function setBack({ id, body, expiresAt }: RecordEntry<AttemptsBody>, now: number) {
  const lasts = id.startsWith('known ') ? KNOWN_FOR : REMEMBERED;
  if (expiresAt === null || expiresAt <= now + lasts) return null;
  const of = count(id, {
    ...(id.startsWith('account ') && { longest: LONGEST_OF_ACCOUNT }),
    ...(id.startsWith('second ') && { free: FREE_CODES }),
  });
  const until = Math.min(body.until, untilAfter(body.failures, now, of));
  return { body: { ...body, until }, expiresAt: now + lasts };
}

/**
 * Takes an attempt, counted as failed until it has succeeded, so that many at once get no further than one after the
 * other. Returns ms to wait; 0: it may be made. An address that must wait stores nothing about the accounts that it
 * names.
 */
export async function takeAttempt(deps: FactorDeps, attempt: Attempt, tried: Tried = 'password'): Promise<number> {
  const counts = await countsOf(deps, attempt, tried);
  // Looked at before any is taken: whoever is told to wait has tried nothing.
  for (const { id } of counts) {
    const now = deps.clock.now();
    const until = (await deps.records.get(ATTEMPTS, id, now))?.body.until ?? 0;
    if (until > now) return until - now;
  }
  for (const one of counts) {
    const wait = await takeOne(deps, one);
    if (wait > 0) return wait;
  }
  return 0;
}

async function takeOne({ records, clock }: PeopleDeps, of: Count): Promise<number> {
  const now = clock.now();
  let wait = 0;
  const failed = (held: AttemptsBody | null) => {
    wait = Math.max(0, (held?.until ?? 0) - now);
    const failures = (held?.failures ?? 0) + 1;
    return wait > 0 ? null : { failures, until: untilAfter(failures, now, of) };
  };
  const change = records.change(ATTEMPTS, of.id, failed, { now, expiresAt: now + REMEMBERED });
  // So many at the same moment are guesses.
  return (await unlessOvertaken(change)) ? wait : FIRST_WAIT;
}

/**
 * After a success: forgets the failures. `more`: the sign-in goes on with the second factor, so that only the attempt
 * of the network is taken back; otherwise the right password would buy new guesses of the code each time.
 */
export async function forgetAttempt(
  deps: FactorDeps,
  attempt: Attempt,
  tried: Tried = 'password',
  { more = false } = {},
): Promise<void> {
  const counts = await countsOf(deps, attempt, tried);
  // The password has counted as failed until now.
  if (tried === 'second' && counts.some(({ isShared }) => isShared)) counts.push(count(`account ${attempt.email}`));
  for (const one of counts) {
    if (one.isShared) await forgive(deps, one);
    else if (!more) await deps.records.take(ATTEMPTS, one.id, deps.clock.now());
  }
}

async function forgive({ records, clock }: PeopleDeps, of: Count): Promise<void> {
  const now = clock.now();
  const forgiven = (held: AttemptsBody | null) => {
    const failures = Math.max(0, (held?.failures ?? 0) - 1);
    return held && { failures, until: untilAfter(failures, now, of) };
  };
  await unlessOvertaken(records.change(ATTEMPTS, of.id, forgiven, { now }));
}

/** Forgets what others have failed with, once the password is another one. */
export async function forgetGuesses({ records, clock }: PeopleDeps, email: string): Promise<void> {
  for (const id of [`account ${email}`, `second ${email}`]) await records.take(ATTEMPTS, id, clock.now());
}

/** Remembers the network that somebody has signed in from; one of before for as long again. */
export async function rememberNetwork({ records, clock }: PeopleDeps, attempt: Attempt, epoch: number): Promise<void> {
  const now = clock.now();
  const known = () => ({ failures: 0, until: 0 });
  await unlessOvertaken(records.change(ATTEMPTS, knownId(attempt, epoch), known, { now, expiresAt: now + KNOWN_FOR }));
}

/** False when others wrote the same count first, each time: that ends no sign-in. */
async function unlessOvertaken(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof OvertakenError) return false;
    throw error;
  }
}
