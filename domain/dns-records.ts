import { bounceDomain } from './sending-domain';

export type DnsPurpose = 'dkim' | 'bounce' | 'spf' | 'dmarc';

/** A record that a sending domain needs in the DNS. */
export interface DnsRecord {
  purpose: DnsPurpose;
  /** Without the dot at the end. */
  name: string;
  type: 'TXT' | 'MX';
  /** Null while the installation does not know what it must be (no public host). */
  value: string | null;
}

/** What the records of every sending domain name. */
export interface DnsHosts {
  /** Whose SMTP server takes mail for the bounce domains; null = not known. */
  mxHost: string | null;
  /** SPF mechanisms of the sending server, such as `ip4:203.0.113.7`; null = not known. */
  spf: string | null;
}

export interface DkimRecord {
  selector: string;
  /** The TXT value of the public key. */
  value: string;
}

/** The priority of the MX record; there is one host only. */
const PRIORITY = 10;

/** The records of a sending domain: DKIM (RFC 6376), MX and SPF (RFC 7208) of its bounce subdomain, DMARC (RFC 7489). */
export function dnsRecords(domain: string, dkim: DkimRecord, hosts: DnsHosts): DnsRecord[] {
  const bounce = bounceDomain(domain);
  return [
    { purpose: 'dkim', name: `${dkim.selector}._domainkey.${domain}`, type: 'TXT', value: dkim.value },
    { purpose: 'bounce', name: bounce, type: 'MX', value: hosts.mxHost && `${PRIORITY} ${hosts.mxHost}.` },
    { purpose: 'spf', name: bounce, type: 'TXT', value: hosts.spf && `v=spf1 ${hosts.spf} -all` },
    { purpose: 'dmarc', name: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=none' },
  ];
}

/** The line of a zone file; a TXT value of more than 255 characters goes in pieces (RFC 1035 section 3.3.14). */
export function zoneLine({ name, type, value }: DnsRecord): string {
  if (value === null) return `; ${name}. 3600 IN ${type}  - not known yet`;
  const pieces = value.match(/.{1,255}/g) ?? [];
  const data = type === 'MX' ? value : pieces.map((piece) => `"${piece}"`).join(' ');
  return `${name}. 3600 IN ${type} ${pieces.length > 1 ? `( ${data} )` : data}`;
}

/** The names under which DMARC may lie: that of the domain, then those of its parents (RFC 7489 section 6.6.3). */
export function dmarcNames(name: string): string[] {
  const labels = name.replace(/^_dmarc\./, '').split('.');
  return labels.slice(0, -1).map((_, i) => `_dmarc.${labels.slice(i).join('.')}`);
}

/** What the DNS holds against what is expected. `fault` says what is wrong with a record that differs. */
export interface DnsVerdict {
  status: 'ok' | 'missing' | 'differs' | 'unknown';
  fault: string | null;
}

const OK: DnsVerdict = { status: 'ok', fault: null };
const MISSING: DnsVerdict = { status: 'missing', fault: 'there is no such record' };
const differs = (fault: string): DnsVerdict => ({ status: 'differs', fault });

/** Judges what was found under the name of a record: TXT values whole, MX values as `<priority> <host>`. */
export function judgeDns(record: DnsRecord, found: readonly string[]): DnsVerdict {
  if (record.value === null) {
    return { status: 'unknown', fault: 'what it must be is not known: see kurir domain dns' };
  }
  switch (record.purpose) {
    case 'dkim':
      return judgeDkim(record.value, found);
    case 'bounce':
      return judgeMx(record.value, found);
    case 'spf':
      return judgeSpf(record.value, found);
    case 'dmarc':
      return judgeDmarc(found);
  }
}

/** The tags of `a=b; c=d`, white space and case of the names aside (RFC 6376 section 3.2). */
function tagsOf(text: string): Map<string, string> {
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
  if (!only) return found.length === 0 ? MISSING : differs('the record is no DKIM key');
  if (keys.length > 1) return differs('there are several keys; a receiver may take the wrong one');
  if (only.get('p') === '') return differs('the key is revoked (p= is empty)');
  if (only.get('p') !== tagsOf(expected).get('p')) return differs('it is another key');
  if ((only.get('v') ?? 'DKIM1') !== 'DKIM1' || (only.get('k') ?? 'rsa') !== 'rsa') return differs('v or k is wrong');
  return OK;
}

const hostOf = (mx: string): string => (mx.split(/\s+/)[1] ?? '').toLowerCase().replace(/\.$/, '');

function judgeMx(expected: string, found: readonly string[]): DnsVerdict {
  if (found.length === 0) return MISSING;
  if (!found.some((mx) => hostOf(mx) === hostOf(expected))) return differs('it leads to another host');
  const others = found.filter((mx) => hostOf(mx) !== hostOf(expected));
  return others.length > 0 ? differs('other hosts would get reports too') : OK;
}

const isSpf = (text: string): boolean => /^v=spf1(\s|$)/i.test(text);

function judgeSpf(expected: string, found: readonly string[]): DnsVerdict {
  const records = found.filter(isSpf);
  const [only] = records;
  if (only === undefined) return MISSING;
  if (records.length > 1) return differs('there are several SPF records, which voids them all');
  const terms = only.toLowerCase().split(/\s+/);
  const wanted = expected.toLowerCase().split(/\s+/).slice(1, -1);
  const lacking = wanted.filter((term) => !terms.includes(term) && !terms.includes(`+${term}`));
  if (lacking.length > 0) return differs(`it lacks ${lacking.join(' ')}`);
  return terms.some((term) => term === 'all' || term === '+all') ? differs('it lets everybody send (+all)') : OK;
}

function judgeDmarc(found: readonly string[]): DnsVerdict {
  const records = found.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/i.test(text));
  const [only] = records;
  if (only === undefined) return MISSING;
  if (records.length > 1) return differs('there are several DMARC records, which voids them all');
  const policy = tagsOf(only).get('p') ?? '';
  return /^(none|quarantine|reject)$/i.test(policy) ? OK : differs('it has no policy (p=none, quarantine or reject)');
}
