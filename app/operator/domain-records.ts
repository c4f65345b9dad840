import { isIP } from 'node:net';
import { dnsRecords, type DnsHosts, type DnsRecord } from '../../domain/settings/dns-records';
import type { Keyring } from '../../domain/keyring';
import { readUrl } from '../../lib/read-url';
import { dkimContext, type SendingDomain } from '../../domain/settings/sending-domain';
import { dkimDnsValue } from '../../email/dkim-key';
import type { SettingsStore } from '../../stores/ports/settings-store';
import type { Config } from '../config/config';

/** The records a sending domain needs. Its DKIM record is derived from the sealed private key. */
export function recordsOf(domain: SendingDomain, keyring: Keyring, hosts: DnsHosts): DnsRecord[] {
  const pem = keyring.open(domain.dkimKeySealed, dkimContext(domain.domain));
  return dnsRecords(domain.domain, { selector: domain.dkimSelector, value: dkimDnsValue(pem) }, hosts);
}

/** What the operator set (`kurir domain dns`); each part is optional. */
export type DnsSetting = Partial<DnsHosts>;

/**
 * The hosts that DNS records name. The operator's setting comes first. Otherwise the host of KURIR_PUBLIC_URL takes the
 * bounces, and the host of KURIR_MTA_URL sends; if that is this machine or the sandbox, the public host sends.
 */
export async function dnsHosts(
  config: Pick<Config, 'publicUrl' | 'mtaUrl'>,
  settings: Pick<SettingsStore, 'get'>,
): Promise<DnsHosts> {
  const set = ((await settings.get('dns')) ?? {}) as DnsSetting;
  const publicHost = publicHostOf(config.publicUrl);
  const sender = publicHostOf(config.mtaUrl) ?? publicHost;
  return {
    mxHost: set.mxHost ?? (publicHost !== null && isIP(publicHost) === 0 ? publicHost : null),
    spf: set.spf ?? (sender === null ? null : mechanism(sender)),
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
