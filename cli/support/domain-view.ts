import type { CheckedRecord } from '../../app/operator/domain-check';
import type { DnsPurpose, DnsRecord } from '../../domain/settings/dns-records';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { statusPaint, type Paint } from './paint';
import { printable } from './text';
import { jsonTime } from './times';

const ABOUT: Record<DnsPurpose, string> = {
  dkim: 'DKIM: the public half of the key that signs every mail',
  bounce: 'bounces: where delivery reports come back',
  spf: 'SPF: who may send with this return path',
  dmarc: 'DMARC: what receivers do with mail that is not signed',
};

/** A sending domain as JSON. */
export const presentDomain = (domain: SendingDomain) => ({
  id: domain.id,
  workspace_id: domain.workspaceId,
  domain: domain.domain,
  status: domain.status,
  category: domain.category,
  track_clicks: domain.trackClicks,
  created_at: jsonTime(domain.createdAt),
});

/** What the mail of a domain is, in words. */
export const mailWords = ({ category, trackClicks }: SendingDomain): string =>
  category === 'marketing' ? category : `${category}, clicks ${trackClicks ? 'tracked' : 'not tracked'}`;

/** A check as JSON; `ok` is null when nothing was looked up. */
export const presentCheck = (domain: SendingDomain, records: readonly CheckedRecord[]) => ({
  ...presentDomain(domain),
  ok: records.length === 0 ? null : records.every(({ status }) => status === 'ok'),
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

/** Records for the form of a DNS provider: name, type and value, each on its own line. */
export const recordBlocks = (paint: Paint, records: readonly DnsRecord[]): string =>
  records
    .map(({ purpose, name, type, value }) => {
      const shown = value ?? paint('warn', 'not known yet: set KURIR_PUBLIC_URL, or see kurir domain dns --help');
      return `${paint('dim', ABOUT[purpose])}\n  name   ${name}\n  type   ${type}\n  value  ${shown}\n`;
    })
    .join('\n');

/** The result of a check, record by record: found and expected where they differ. */
export const checkTable = (paint: Paint, records: readonly CheckedRecord[]): string =>
  records
    .map(({ name, type, value, found, status, fault }) => {
      const head = `${statusPaint(paint, status.padEnd(7))}  ${type.padEnd(3)}  ${name}`;
      if (status === 'ok') return `${head}\n`;
      const seen = found.length === 0 ? ['nothing'] : found.map(printable);
      const lines = [fault ?? '', ...seen.map((text) => `found     ${text}`), `expected  ${value ?? 'not known'}`];
      return `${head}\n${lines.map((line) => `           ${line}\n`).join('')}`;
    })
    .join('');
