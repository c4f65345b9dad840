import { isIP } from 'node:net';
import { retiredKeys } from '../../domain/settings/dkim-rotation';
import { dkimRecord, dnsRecords, type DnsHosts, type DnsRecord } from '../../domain/settings/dns-records';
import type { Keyring } from '../../domain/keyring';
import { readUrl } from '../../lib/read-url';
import { dkimContext, type SendingDomain } from '../../domain/settings/sending-domain';
import { dkimDnsValue } from '../../email/dkim-key';
import type { SettingsStore } from '../../stores/ports/settings-store';
import type { Config } from '../config/config';

/** The TXT value for the public half of a key of the domain, from the sealed private key. */
export const dkimValue = ({ domain }: SendingDomain, keySealed: string, keyring: Keyring): string =>
  dkimDnsValue(keyring.open(keySealed, dkimContext(domain)));

/** The records a sending domain needs, and while its key is rotated those of the keys to come and before. */
export function recordsOf(of: SendingDomain, keyring: Keyring, hosts: DnsHosts, now: number): DnsRecord[] {
  const { domain, dkimSelector, dkimKeySealed, dkimPending } = of;
  const records = dnsRecords(domain, { selector: dkimSelector, value: dkimValue(of, dkimKeySealed, keyring) }, hosts);
  if (dkimPending) {
    const { selector, keySealed } = dkimPending;
    records.push(dkimRecord('dkim_pending', domain, { selector, value: dkimValue(of, keySealed, keyring) }));
  }
  for (const { until, ...retired } of retiredKeys(of, now)) {
    records.push({ ...dkimRecord('dkim_retired', domain, retired), removableFrom: until });
  }
  return records;
}

/** What the operator set (`kurir domain dns`); each part is optional. */
export type DnsSetting = Partial<DnsHosts>;

/**
 * The hosts that DNS records name. The operator's setting comes first. Otherwise the host of KURIR_PUBLIC_URL takes the
 * bounces, and the hosts of KURIR_MTA_URL send; where one is this machine or the sandbox, the public host sends.
 */
export async function dnsHosts(
  config: Pick<Config, 'publicUrl' | 'mtaServers'>,
  settings: Pick<SettingsStore, 'get'>,
): Promise<DnsHosts> {
  const set = ((await settings.get('dns')) ?? {}) as DnsSetting;
  const publicHost = publicHostOf(config.publicUrl);
  const urls = config.mtaServers.length > 0 ? config.mtaServers.map(({ url }) => url) : [null];
  const senders = new Set(urls.map((url) => publicHostOf(url) ?? publicHost).filter((host) => host !== null));
  return {
    mxHost: set.mxHost ?? (publicHost !== null && isIP(publicHost) === 0 ? publicHost : null),
    spf: set.spf ?? (senders.size === 0 ? null : [...senders].map(mechanism).join(' ')),
  };
}

/** The public host of a URL; null without a URL, and for names and addresses of this machine. */
function publicHostOf(url: string | null): string | null {
  const host = url === null ? '' : (readUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '');
  const local = host === '' || host === 'localhost' || host.startsWith('127.') || host === '::1' || host === '0.0.0.0';
  return local ? null : host;
}

function mechanism(host: string): string {
  const family = isIP(host);
  return family === 0 ? `a:${host}` : `ip${family}:${host}`;
}
