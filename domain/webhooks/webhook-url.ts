import { addressBytes, isPublicAddress } from './public-address';
import { readUrl } from '../../lib/read-url';

/** The host of a webhook's URL: an address that was checked, or a name whose addresses are still to be checked. */
export type WebhookHost = { kind: 'address'; bytes: number[] } | { kind: 'name'; name: string };

export type WebhookUrlFault = 'invalid' | 'not_https' | 'credentials' | 'internal';

/** `mayBePrivate`: it may lead to any address, also one that is not public. */
export type WebhookUrl =
  { ok: true; url: URL; host: WebhookHost; mayBePrivate: boolean } | { ok: false; fault: WebhookUrlFault };

/** Chooses the http and https URLs that may lead to private addresses and need no TLS. */
export type MayBePrivate = (url: URL) => boolean;

/** Characters a URL parser would silently drop or repair: spaces, control characters, backslashes, lone surrogates. */
const REPAIRED = /[\0-\x20\x7f\\]|[\ud800-\udfff]/u;
/** Parsers also repair `https:host` and `https:///host`. */
const WITH_AUTHORITY = /^https?:\/\/(?![/?#])/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

/**
 * Checks a webhook's URL by its text alone (docs/contract.md#webhook-url;
 * docs/decisions/0030-webhook-urls-must-be-public.md): https, no user name or password, and a host that is a public
 * address or a name that may resolve to one. Those that may be private are excepted from https and public.
 */
export function readWebhookUrl(text: string, isPrivateAllowed: MayBePrivate = () => false): WebhookUrl {
  const url = REPAIRED.test(text) ? null : readUrl(text);
  if (!url || url.port === '0') return refused('invalid');
  const isSecure = url.protocol === 'https:';
  const mayBePrivate = (isSecure || url.protocol === 'http:') && isPrivateAllowed(url);
  if (!isSecure && !mayBePrivate) {
    // Of both faults the one that a developer on one machine can mend.
    return refused(url.protocol === 'http:' && readHost(url.hostname, false) === 'internal' ? 'internal' : 'not_https');
  }
  if (!WITH_AUTHORITY.test(text)) return refused('invalid');
  if (authority(text).includes('@')) return refused('credentials');
  const host = readHost(url.hostname, mayBePrivate);
  return typeof host === 'string' ? refused(host) : { ok: true, url, host, mayBePrivate };
}

const refused = (fault: WebhookUrlFault): WebhookUrl => ({ ok: false, fault });

/** The authority as written: an empty user name and password leave no trace in the parsed URL. */
const authority = (text: string): string => text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';

/** The parser has already normalized every IPv4 notation, and names to lower-case ASCII. */
function readHost(hostname: string, mayBePrivate: boolean): WebhookHost | WebhookUrlFault {
  const bytes = addressBytes(hostname.replace(/^\[|\]$/g, ''));
  if (bytes) return mayBePrivate || isPublicAddress(bytes) ? { kind: 'address', bytes } : 'internal';
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return 'invalid';
  // A name without a dot belongs to the local network, and names under localhost are this machine (RFC 6761).
  const isInternal = labels.length === 1 || labels.at(-1) === 'localhost';
  return isInternal && !mayBePrivate ? 'internal' : { kind: 'name', name };
}
