import { domainToASCII } from 'node:url';
import type { AlarmSettings } from '../../domain/alarms/alarm-settings';
import { readUrl } from '../../lib/read-url';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import type { VariableName } from './config-variables';
import type { EnvReader } from './env-reader';

type Reader = EnvReader<VariableName>;

const HOST = /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/;

/**
 * Lists that large receivers use, and that may be asked by small installations without a contract:
 * https://www.spamhaus.org/blocklists/zen-blocklist/, https://www.spamcop.net/bl.shtml, https://psbl.org/.
 */
const KNOWN_LISTS: readonly string[] = ['zen.spamhaus.org', 'bl.spamcop.net', 'psbl.surriel.com'];

export interface AlarmConfig {
  alarms: AlarmSettings;
  /** Zones of the DNS that list addresses of senders (RFC 5782). */
  blocklists: readonly string[];
}

/** Where alarms go, and the blocklists that are asked for. */
export const readAlarms = (read: Reader): AlarmConfig => ({
  alarms: { post: readPost(read), mail: readMail(read) },
  blocklists: readBlocklists(read),
});

function readPost(read: Reader): AlarmSettings['post'] {
  const [url, secret] = [read.text('KURIR_ALARM_URL'), read.text('KURIR_ALARM_SECRET')];
  if (!url && !secret) return null;
  const parsed = readUrl(url);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.username || parsed.password || parsed.hash) {
    read.fault('KURIR_ALARM_URL', 'must be an http:// or https:// URL without credentials or fragment');
  }
  if (!/^[\x21-\x7e]{16,4096}$/.test(secret)) {
    read.fault(
      'KURIR_ALARM_SECRET',
      'must have at least 16 ASCII characters without spaces, because it signs each request',
    );
  }
  return { url, secret };
}

function readMail(read: Reader): AlarmSettings['mail'] {
  const [to, sender] = [read.text('KURIR_ALARM_MAIL'), domainToASCII(read.text('KURIR_ALARM_SENDER')).toLowerCase()];
  if (!to && !read.text('KURIR_ALARM_SENDER')) return null;
  if (!isEmailAddress(to)) read.fault('KURIR_ALARM_MAIL', 'must be an email address');
  if (!HOST.test(sender)) read.fault('KURIR_ALARM_SENDER', 'must be a sending domain of this installation');
  return { to: isEmailAddress(to) ? canonicalAddress(to) : to, sender };
}

function readBlocklists(read: Reader): readonly string[] {
  const text = read.text('KURIR_BLOCKLISTS');
  if (text === '') return KNOWN_LISTS;
  if (text === 'off') return [];
  const zones = text.split(',').map((zone) => zone.trim().toLowerCase());
  if (!zones.every((zone) => HOST.test(zone))) {
    read.fault('KURIR_BLOCKLISTS', 'must be domains, comma-separated, or off');
  }
  return zones;
}
