import { ValueError } from '../../lib/reason';
import { domainToASCII } from 'node:url';
import type { CheckedRecord } from './check-domain';
import { dnsHosts, recordsOf } from './domain-records';
import { isNeeded, zoneLine, type DnsPurpose, type DnsRecord } from '../../domain/settings/dns-records';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { printable } from '../../lib/printable';
import { facts, jsonTime, status, type Read, type Session, type View, rule } from '../definition';

const LABELS = /^(?=.{4,220}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

/** Reads a host name and returns it in lower case and ASCII, without a dot at the end. */
export const hostName: Read<string> = (raw) => {
  const name = domainToASCII(raw.trim().replace(/\.$/, '')).toLowerCase();
  if (!LABELS.test(name)) throw new ValueError(rule('domain'));
  return name;
};

/** SPF mechanisms (RFC 7208), separated by spaces. */
export const mechanisms: Read<string> = (raw) => {
  const terms = raw.trim().split(/\s+/);
  const valid = terms.every((term) => /^(ip4|ip6|a|mx|include|exists):[\w.:/%{}-]+$/i.test(term));
  if (!valid) throw new ValueError(rule('mechanisms'));
  return terms.join(' ');
};

/** The DNS records that a domain should have. */
export async function expected({ config, stores, keyring, clock }: Session, of: SendingDomain): Promise<DnsRecord[]> {
  return recordsOf(of, await keyring(), await dnsHosts(config, stores.settings), clock.now());
}

const ABOUT: Record<DnsPurpose, string> = {
  dkim: 'DKIM: the public key that verifies your signatures',
  dkim_pending: 'DKIM: the next public key; publish it, then run kurir domain rotate <domain> --activate',
  dkim_retired: 'DKIM: the previous public key',
  bounce: 'bounces: where delivery reports are sent',
  spf: 'SPF: which servers may send with this return path',
  dmarc: 'DMARC: how receivers treat email that is not authenticated',
};

/** A sending domain as JSON. */
export const presentDomain = (of: SendingDomain) =>
  facts(of, 'id', 'workspaceId', 'domain', 'status', 'category', 'trackClicks', 'createdAt');
type PresentedDomain = ReturnType<typeof presentDomain>;

/** What the mail of a domain is, in words. */
export const mailWords = ({ category, track_clicks: tracked }: PresentedDomain): string =>
  category === 'marketing' ? category : `${category}, clicks ${tracked ? 'tracked' : 'not tracked'}`;

/** A check as JSON; `ok` is null when nothing was looked up. */
export const presentCheck = (domain: SendingDomain, records: readonly CheckedRecord[]) => ({
  ...presentDomain(domain),
  ok: records.length === 0 ? null : records.filter(isNeeded).every(({ status }) => status === 'ok'),
  records: records.map(({ purpose, name, type, value, found, status, fault }) => ({
    purpose,
    name,
    type,
    expected: value,
    found,
    status,
    fault,
  })),
});

/** A domain with the DNS records that it should have. */
export async function withRecords(session: Session, of: SendingDomain) {
  const dns = (await expected(session, of)).map(({ removableFrom, ...record }) => ({
    ...record,
    zone: record.value === null ? null : zoneLine(record),
    ...(removableFrom !== undefined && { removable_from: jsonTime(removableFrom) }),
  }));
  return { ...presentDomain(of), dns };
}
type WithRecords = Awaited<ReturnType<typeof withRecords>>;

/** Records for the form of a DNS provider: name, type and value, each on its own line. */
export const recordBlocks = (view: View, records: WithRecords['dns']): string =>
  records
    .map(({ purpose, name, type, value, removable_from: until }) => {
      const { paint } = view;
      const shown = value ?? paint('warn', 'not known: set KURIR_PUBLIC_URL, or see kurir domain dns --help');
      const about = `${ABOUT[purpose]}${until ? `; can be removed from ${view.time(until)}` : ''}`;
      return `${paint('dim', about)}\n  name   ${name}\n  type   ${type}\n  value  ${shown}\n`;
    })
    .join('\n');

/** A domain and its records as text: to read, or as lines of a zone file. */
export function recordsText(of: WithRecords, view: View, { zone }: { zone: boolean }): string {
  if (zone) return `${of.dns.map(zoneLine).join('\n')}\n`;
  const head = view.details(of, {
    id: 'id',
    domain: 'domain',
    workspace: 'workspace_id',
    status: status('status'),
    category: mailWords,
    added: 'created_at',
  });
  return `${head}\nDNS records:\n\n${recordBlocks(view, of.dns)}`;
}

const KEY_WORDS: Partial<Record<DnsPurpose, string>> = { dkim_pending: '(next key)', dkim_retired: '(previous key)' };

/** The result of a check, record by record: found and expected where they differ. */
export const checkTable = (view: View, { records }: ReturnType<typeof presentCheck>): string =>
  records
    .map(({ purpose, name, type, expected, found, status, fault }) => {
      const key = KEY_WORDS[purpose];
      const head = `${view.status(status.padEnd(7))}  ${type.padEnd(3)}  ${name}${key ? `  ${key}` : ''}`;
      if (status === 'ok') return `${head}\n`;
      const seen = found.length === 0 ? ['nothing'] : found.map(printable);
      const lines = [
        String(fault ?? ''),
        ...seen.map((text) => `found     ${text}`),
        `expected  ${expected ?? 'not known'}`,
      ];
      return `${head}\n${lines.map((line) => `           ${line}\n`).join('')}`;
    })
    .join('');
