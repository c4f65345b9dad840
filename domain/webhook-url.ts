import { addressBytes, isPublicAddress } from './public-address';
import { readUrl } from '../lib/read-url';

/** What a webhook's URL points at: an address that was judged, or a name whose addresses are to be. */
export type WebhookHost = { kind: 'address'; bytes: number[] } | { kind: 'name'; name: string };

export type WebhookUrlFault = 'invalid' | 'not_https' | 'credentials' | 'internal';

export type WebhookUrl = { ok: true; url: URL; host: WebhookHost } | { ok: false; fault: WebhookUrlFault };

/** What a URL parser would drop or mend in silence: spaces, control characters, backslashes, halves of characters. */
const MENDED = /[\0-\x20\x7f\\]|[\ud800-\udfff]/u;
/** `https:host` and `https:///host` are mended, too. */
const HTTPS = /^https:\/\/(?![/?#])/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

/**
 * A webhook's URL by what its text alone can tell (docs/contract.md#webhook-url;
 * docs/decisions/0030-what-a-webhook-may-point-at.md): https, no user name or password, a host that is a public address
 * or a name that may lead to one.
 */
export function readWebhookUrl(text: string): WebhookUrl {
  const url = MENDED.test(text) ? null : readUrl(text);
  if (!url || url.port === '0') return refused('invalid');
  if (url.protocol !== 'https:') return refused('not_https');
  if (!HTTPS.test(text)) return refused('invalid');
  if (authority(text).includes('@')) return refused('credentials');
  const host = readHost(url.hostname);
  return typeof host === 'string' ? refused(host) : { ok: true, url, host };
}

const refused = (fault: WebhookUrlFault): WebhookUrl => ({ ok: false, fault });

/** A user name and password that are empty leave no trace in the parsed URL. */
const authority = (text: string): string => text.slice('https://'.length).split(/[/?#]/, 1)[0] ?? '';

/** The parser has turned every way of writing an IPv4 into the plain one, and names into ASCII in lower case. */
function readHost(hostname: string): WebhookHost | WebhookUrlFault {
  const bytes = addressBytes(hostname.replace(/^\[|\]$/g, ''));
  if (bytes) return isPublicAddress(bytes) ? { kind: 'address', bytes } : 'internal';
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return 'invalid';
  // A name without a dot is one of the local network, and what is under localhost is this machine (RFC 6761).
  return labels.length === 1 || labels.at(-1) === 'localhost' ? 'internal' : { kind: 'name', name };
}
