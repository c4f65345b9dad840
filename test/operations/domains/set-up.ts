import { generateKeyPairSync } from 'node:crypto';
import { examineNames } from '../../../operations/domains/examine-domain';
import { dnsRecords, type DnsHosts } from '../../../domain/settings/dns-records';
import type { DnsServer } from '../../support/dns-server';

export const DOMAIN = 'toko.example';
const BOUNCE = `bounce.${DOMAIN}`;

const keyOf = (bits: number): string => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
};
export const [KEY, OTHER_KEY, SHORT_KEY] = [keyOf(2048), keyOf(2048), keyOf(1024)];

/** Records as `<type> <name>` and values; an empty list takes a record away. */
export type Zone = Readonly<Record<string, readonly string[]>>;

export const NAMES = {
  dkim: `TXT kurir._domainkey.${DOMAIN}`,
  spf: `TXT ${BOUNCE}`,
  bounce: `MX ${BOUNCE}`,
  dmarc: `TXT _dmarc.${DOMAIN}`,
  from: `MX ${DOMAIN}`,
  ptr: 'PTR 7.113.0.203.in-addr.arpa',
  bimi: `TXT default._bimi.${DOMAIN}`,
} as const;

/** All is in order here. */
const GOOD: Zone = {
  [NAMES.dkim]: [KEY],
  [NAMES.bounce]: ['10 mail.kurir.example'],
  'A mail.kurir.example': ['203.0.113.9'],
  [NAMES.spf]: ['v=spf1 ip4:203.0.113.7 -all'],
  [NAMES.dmarc]: [`v=DMARC1; p=none; rua=mailto:dmarc@${BOUNCE}`],
  [NAMES.from]: ['10 mx.toko.example'],
  'A mx.toko.example': ['203.0.113.25'],
  [NAMES.ptr]: ['mta.kurir.example'],
  'A mta.kurir.example': ['203.0.113.7'],
};

const HOSTS: DnsHosts = { mxHost: 'mail.kurir.example', spf: 'ip4:203.0.113.7' };

/** The names of what the doctor finds in the good zone with a change. */
export async function examined(
  server: DnsServer,
  change: Zone,
  { hosts = HOSTS, replyTo = null }: { hosts?: DnsHosts; replyTo?: string | null } = {},
) {
  server.records.clear();
  for (const [record, values] of Object.entries({ ...GOOD, ...change })) {
    if (values.length > 0) server.records.set(record, [...values]);
  }
  const records = dnsRecords(DOMAIN, { selector: 'kurir', value: KEY }, hosts);
  const patience = { timeout: 1_000, tries: 2 };
  return examineNames({ domain: DOMAIN, records, hosts, replyTo, servers: [server.address], patience });
}
