import type { FindingName } from '../deliverability/finding';

/** The result of comparing the DNS with the expected record. `fault` says what is wrong if it differs. */
export interface DnsVerdict {
  status: 'ok' | 'missing' | 'differs' | 'unknown';
  fault: string | null;
  /** How `kurir domain doctor` names it; null where it is right or not known. */
  check: FindingName | null;
  /** The value to publish, where it is not the expected one since it keeps what is there. */
  publish?: string;
}

export const OK: DnsVerdict = { status: 'ok', fault: null, check: null };
export const missing = (check: FindingName): DnsVerdict => ({
  status: 'missing',
  fault: 'the record is missing',
  check,
});
export const differs = (check: FindingName, fault: string): DnsVerdict => ({ status: 'differs', fault, check });
export const unanswered = (why: string): DnsVerdict => ({
  status: 'unknown',
  fault: `could not be looked up (${why}): try again later`,
  check: 'dns-failed',
});
