import { MINUTE, SECOND } from '../lib/clock';

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

/**
 * A minute, plus a second for the time from the claim to the sending server, so that the server never sees more mails
 * than the rate in any 60 s.
 */
export const RATE_WINDOW = MINUTE + SECOND;
