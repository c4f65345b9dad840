import { MINUTE, SECOND } from '../lib/clock';

export interface SendRate {
  perMinute: number;
  /** Mails per WIB day; null = no limit. */
  perDay: number | null;
}

const FREE: SendRate = { perMinute: 10, perDay: 300 };
const PREMIUM: SendRate = { perMinute: 1_200, perDay: null };

/** Send rate of an account (docs/contract.md#send-rate). */
export function sendRate(premium: boolean): SendRate {
  return premium ? PREMIUM : FREE;
}

/**
 * A minute, plus a second for the time from the claim to the sending server, so that the server never sees more mails
 * than the rate in any 60 s.
 */
export const RATE_WINDOW = MINUTE + SECOND;
