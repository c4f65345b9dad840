import { createHash } from 'node:crypto';
import { DAY } from '../../lib/clock';

/** What a receiver reports of one source of mail in the name of a domain. Numbers of mails. */
export interface DmarcSource {
  /** IPv4 or IPv6. */
  ip: string;
  /** The domain in the header From. */
  from: string;
  /** DKIM or SPF passed, aligned with the header From. */
  passed: number;
  failed: number;
  /** Of those, what the receiver put aside or refused. */
  quarantined: number;
  rejected: number;
}

/** One aggregate report of a receiver about a domain: mails by DMARC, or SMTP sessions by TLS. */
export interface DomainReport {
  kind: 'dmarc' | 'tls';
  /** Who reports, and its id there. */
  org: string;
  reportId: string;
  /** The time it is about, ms. */
  begin: number;
  end: number;
  /** Mails, or sessions. */
  passed: number;
  failed: number;
  /** DMARC: those with the most mail; the sums above hold all of them. Empty for TLS. */
  sources: readonly DmarcSource[];
  /** TLS: what failed (RFC 8460 section 4.3), in sessions. Empty for DMARC. */
  failures: readonly { reason: string; count: number }[];
}

/** How long reports are kept, ms. */
export const REPORTS_KEPT = 90 * DAY;
/** The most reports of a kind about a domain and a day: anybody may write one. */
export const MAX_REPORTS_A_DAY = 200;

/** What every key of the reports of a domain from a day (`2026-01-31`) on begins with, and is not below. */
export const reportsFrom = (domain: string, kind: DomainReport['kind'], day: string): string =>
  `${domain}/${kind}/${day}/`;

/** The key of a report: the same one, sent twice, has the same key. Keys of a domain and kind are in order of days. */
export function reportKey(domain: string, { kind, begin, org, reportId }: DomainReport): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([org.toLowerCase(), reportId]))
    .digest('hex');
  return `${reportsFrom(domain, kind, dayOf(begin))}${hash.slice(0, 32)}`;
}

/** The day in UTC, by which receivers report. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
