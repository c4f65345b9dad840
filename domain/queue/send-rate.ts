import { MINUTE, SECOND } from '../../lib/clock';

export interface SendRate {
  perMinute: number;
  /** Mails per WIB day; null = no limit. */
  perDay: number | null;
}

const FREE: SendRate = { perMinute: 10, perDay: 300 };
/** Mails a minute of a premium account (docs/contract.md#send-rate). */
export const PREMIUM_PER_MINUTE = 1_200;

/** Send rate of an account (docs/contract.md#send-rate). */
export function sendRate(premium: boolean, premiumPerMinute = PREMIUM_PER_MINUTE): SendRate {
  return premium ? { perMinute: premiumPerMinute, perDay: null } : FREE;
}

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
