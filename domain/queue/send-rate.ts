import { MINUTE, SECOND } from '../../lib/clock';

export interface SendRate {
  perMinute: number;
  /** Mails per WIB day; null = no limit. */
  perDay: number | null;
}

/** A rate that an operator gave a workspace. */
export interface OwnRate {
  /** In force from then on, ms. */
  since: number;
  /** Null: that of its kind of account. */
  perMinute: number | null;
  /** Null: that of its kind of account. */
  perDay: number | 'none' | null;
}

const FREE: SendRate = { perMinute: 10, perDay: 300 };
const PREMIUM: SendRate = { perMinute: 1_200, perDay: null };
/** So many changes of a rate are kept. */
const MAX_CHANGES = 100;

/**
 * Send rate of an account: of its kind (docs/contract.md#send-rate), unless an operator gave it another. `rates`: those
 * that were given, oldest first; the last is in force.
 */
export function sendRate(premium: boolean, rates: readonly OwnRate[] = []): SendRate {
  const kind = premium ? PREMIUM : FREE;
  const { perMinute = null, perDay = null } = rates.at(-1) ?? {};
  return {
    perMinute: perMinute ?? kind.perMinute,
    perDay: perDay === 'none' ? null : (perDay ?? kind.perDay),
  };
}

/** The rates with a change; of very many, the two oldest become one that allows what either did. */
export function changedRates(
  rates: readonly OwnRate[],
  change: Partial<Omit<OwnRate, 'since'>>,
  since: number,
): OwnRate[] {
  const next = [...rates, { perMinute: null, perDay: null, ...rates.at(-1), ...change, since }];
  const [first, second, ...others] = next;
  if (!first || !second || next.length <= MAX_CHANGES) return next;
  const { perMinute, perDay } = loosest([first, second].map((rate) => sendRate(true, [rate])));
  return [{ since: first.since, perMinute, perDay: perDay ?? 'none' }, ...others];
}

/** What any of the rates that were in force from `from` to `to`, ms, allowed. */
export function rateBetween(premium: boolean, rates: readonly OwnRate[], from: number, to: number): SendRate {
  const before = rates.findLastIndex(({ since }) => since <= from);
  const meanwhile = rates.filter(({ since }) => since > from && since <= to);
  const inForce = [rates.slice(0, before + 1), ...meanwhile.map((rate) => [rate])];
  return loosest(inForce.map((given) => sendRate(premium, given)));
}

/** The most mails a minute that the account ever was allowed. */
export const highestPerMinute = (rates: readonly OwnRate[]): number =>
  rateBetween(true, rates, -Infinity, Infinity).perMinute;

const loosest = (rates: readonly SendRate[]): SendRate => ({
  perMinute: Math.max(...rates.map(({ perMinute }) => perMinute)),
  perDay: rates.some(({ perDay }) => perDay === null) ? null : Math.max(...rates.map(({ perDay }) => perDay ?? 0)),
});

/** Over this time campaigns and journeys take no more than their share of the rate, ms. */
const BULK_SPAN = 3 * SECOND;

/** Of so many mails of the rate, one is kept free for transactional mail. */
const KEPT = 20;

/**
 * The pace of campaigns and journeys while no transactional mail waits, spread over the minute, so that a password
 * reset never finds the whole minute used up (docs/architecture.md#pacing-and-claim). At most `limit` claims in any
 * `spanMs`, and `perMinute` in the window of the rate, those of transactional mail included.
 */
export function bulkPace({ perMinute }: SendRate): { spanMs: number; limit: number; perMinute: number } {
  const spanMs = Math.max(BULK_SPAN, Math.ceil(MINUTE / perMinute));
  const limit = Math.max(1, Math.floor((perMinute * spanMs) / MINUTE));
  return { spanMs, limit, perMinute: perMinute - Math.floor(perMinute / KEPT) };
}

/**
 * A minute, plus a second for the time from the claim to the sending server, so that the server never sees more mails
 * than the rate in any 60 s.
 */
export const RATE_WINDOW = MINUTE + SECOND;
