import type { SpfDns } from '../spf/check-host';
import { judgeSpf } from '../spf/judge-spf';
import { differs, missing, OK, recordFault, type DnsVerdict } from './dns-verdict';
import { bounceDomain } from './sending-domain';

/** `dkim_pending` and `dkim_retired` are the keys to come and those before, while a key is rotated. */
export type DnsPurpose = 'dkim' | 'dkim_pending' | 'dkim_retired' | 'bounce' | 'spf' | 'dmarc';

/** A DNS record that a sending domain needs. */
export interface DnsRecord {
  purpose: DnsPurpose;
  /** Without the trailing dot. */
  name: string;
  type: 'TXT' | 'MX';
  /** Null while the value is unknown because the installation has no public host. */
  value: string | null;
  /** Of a retired key: from then on the record may be removed, ms. */
  removableFrom?: number;
}

/** True for what a domain needs to send: a key that does not sign, not yet or no more, is no part of it. */
export const isNeeded = ({ purpose }: DnsRecord): boolean => purpose !== 'dkim_pending' && purpose !== 'dkim_retired';

/** The values that the records of all sending domains share. */
export interface DnsHosts {
  /** Host of the SMTP server that accepts mail for the bounce domains; null = not known. */
  mxHost: string | null;
  /** SPF mechanisms of the sending server, such as `ip4:203.0.113.7`; null = not known. */
  spf: string | null;
}

export interface DkimRecord {
  selector: string;
  /** The TXT value of the public key. */
  value: string;
}

/** The record of a key of the domain (RFC 6376). */
export const dkimRecord = (purpose: DnsPurpose, domain: string, { selector, value }: DkimRecord): DnsRecord => ({
  purpose,
  name: `${selector}._domainkey.${domain}`,
  type: 'TXT',
  value,
});

/** Priority of the MX record; there is only one host. */
const PRIORITY = 10;

/**
 * The records of a sending domain: DKIM (RFC 6376), MX and SPF (RFC 7208) of its bounce subdomain, DMARC (RFC 7489).
 */
export function dnsRecords(domain: string, dkim: DkimRecord, hosts: DnsHosts): DnsRecord[] {
  const bounce = bounceDomain(domain);
  return [
    dkimRecord('dkim', domain, dkim),
    { purpose: 'bounce', name: bounce, type: 'MX', value: hosts.mxHost && `${PRIORITY} ${hosts.mxHost}.` },
    { purpose: 'spf', name: bounce, type: 'TXT', value: hosts.spf && `v=spf1 ${hosts.spf} -all` },
    { purpose: 'dmarc', name: `_dmarc.${domain}`, type: 'TXT', value: `v=DMARC1; p=none; rua=mailto:dmarc@${bounce}` },
  ];
}

/** The record as a zone file line; TXT values over 255 characters are split (RFC 1035 section 3.3.14). */
export function zoneLine({ name, type, value }: DnsRecord): string {
  if (value === null) return `; ${name}. 3600 IN ${type}  - not known yet`;
  const pieces = value.match(/.{1,255}/g) ?? [];
  const data = type === 'MX' ? value : pieces.map((piece) => `"${piece}"`).join(' ');
  return `${name}. 3600 IN ${type} ${pieces.length > 1 ? `( ${data} )` : data}`;
}

/** The names that may hold the DMARC record: the domain's own, then those of its parents (RFC 7489 section 6.6.3). */
export function dmarcNames(name: string): string[] {
  const labels = name.replace(/^_dmarc\./, '').split('.');
  return labels.slice(0, -1).map((_, i) => `_dmarc.${labels.slice(i).join('.')}`);
}

/**
 * Checks the values found under the name of a record: whole TXT values, MX values as `<priority> <host>`. `dns` is
 * asked for the names that an SPF record leads to.
 */
export async function judgeDns(record: DnsRecord, found: readonly string[], dns: SpfDns): Promise<DnsVerdict> {
  if (record.value === null) {
    return { status: 'unknown', fault: recordFault('not_expected'), check: null };
  }
  switch (record.purpose) {
    case 'dkim':
    case 'dkim_pending':
    case 'dkim_retired':
      return judgeDkim(record.value, found);
    case 'bounce':
      return judgeMx(record.value, found);
    case 'spf':
      return judgeSpf(dns, { name: record.name, value: record.value }, found);
    case 'dmarc':
      return judgeDmarc(found);
  }
}

/** The tags of `a=b; c=d`, ignoring white space and the case of names (RFC 6376 section 3.2). */
export function tagsOf(text: string): Map<string, string> {
  const pairs = text.split(';').filter((part) => part.includes('='));
  return new Map(
    pairs.map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).replaceAll(/\s/g, '')];
    }),
  );
}

function judgeDkim(expected: string, found: readonly string[]): DnsVerdict {
  const keys = found.map(tagsOf).filter((tags) => tags.has('p'));
  const [only] = keys;
  if (!only) return found.length === 0 ? missing('dkim-missing') : differs('dkim-no-key', recordFault('no_key'));
  if (keys.length > 1) return differs('dkim-several', recordFault('several_keys'));
  if (only.get('p') === '') return differs('dkim-revoked', recordFault('revoked'));
  if (only.get('p') !== tagsOf(expected).get('p')) return differs('dkim-other-key', recordFault('other_key'));
  if ((only.get('v') ?? 'DKIM1') !== 'DKIM1' || (only.get('k') ?? 'rsa') !== 'rsa')
    return differs('dkim-no-key', recordFault('wrong_key'));
  return OK;
}

const hostOf = (mx: string): string => (mx.split(/\s+/)[1] ?? '').toLowerCase().replace(/\.$/, '');

function judgeMx(expected: string, found: readonly string[]): DnsVerdict {
  if (found.length === 0) return missing('return-path-missing');
  if (!found.some((mx) => hostOf(mx) === hostOf(expected)))
    return differs('return-path-elsewhere', recordFault('elsewhere'));
  const others = found.filter((mx) => hostOf(mx) !== hostOf(expected));
  return others.length > 0 ? differs('return-path-shared', recordFault('shared')) : OK;
}

function judgeDmarc(found: readonly string[]): DnsVerdict {
  const records = found.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/i.test(text));
  const [only] = records;
  if (only === undefined) return missing('dmarc-missing');
  if (records.length > 1) return differs('dmarc-several', recordFault('several', { kind: 'DMARC' }));
  const policy = tagsOf(only).get('p') ?? '';
  return /^(none|quarantine|reject)$/i.test(policy) ? OK : differs('dmarc-policy', recordFault('no_policy'));
}
