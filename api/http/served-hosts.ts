import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../lib/loopback';
import { readUrl } from '../../lib/read-url';

export interface HostSettings {
  publicUrl: () => string;
  /** Additional host names, lower case, without port. */
  hosts: readonly string[];
  /** The listening address. */
  listensOn: string;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Decides which hosts are served: that of the public URL, the configured ones, and loopback names while listening on
 * loopback (docs/contract.md#served-hosts). All others are refused, so that no foreign page can reach us under its own
 * host name.
 */
export function servedHosts({ publicUrl, hosts, listensOn }: HostSettings): (hostname: string) => boolean {
  const fixed = new Set([...hosts, ...(isLoopback(listensOn) ? LOOPBACK_NAMES : [])]);
  let url = '';
  let publicHost = '';
  return (hostname) => {
    if (fixed.has(hostname)) return true;
    if (url !== publicUrl()) {
      url = publicUrl();
      publicHost = new URL(url).hostname;
    }
    return hostname === publicHost;
  };
}

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port (RFC 9110 section 7.2). */
const HOST = /^(\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d{0,5})?$/i;

/** The requested host, lower case, without port; empty when the request names none, or something else. */
export function requestedHost(req: IncomingMessage): string {
  const target = req.url ?? '';
  // RFC 9112 section 3.2.2: with a target in absolute form, its host counts instead of the header.
  const host = target.startsWith('/') ? (req.headers.host ?? '') : hostOfTarget(target);
  return (HOST.exec(host)?.[1] ?? '').toLowerCase();
}

/** Empty for a target with a name or password in it (RFC 9110 section 4.2.4). */
function hostOfTarget(target: string): string {
  const url = readUrl(target);
  return url && url.username === '' && url.password === '' ? url.host : '';
}

/** True when a request has more than one Host header. */
export function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
