import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { readUrl } from '../../lib/read-url';

export interface HostSettings {
  publicUrl: () => string;
  /** Further names, lower case, without port. */
  hosts: readonly string[];
  /** The address listened on. */
  listensOn: string;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Which hosts are served: that of the public URL, the configured ones, and loopback names while listening on loopback
 * (docs/contract.md#served-hosts). Anything else is refused, so that no foreign page can reach us under a name of its
 * own.
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

/** The host a request is for, lower case, without port; empty when it names none. */
export function requestedHost(req: IncomingMessage): string {
  const target = req.url ?? '';
  // RFC 9112 section 3.2.2: the host of a target in absolute form counts, not the header.
  if (!target.startsWith('/')) return readUrl(target)?.hostname ?? '';
  const host = req.headers.host ?? '';
  return (/^(\[[^\]]*\]|[^:]*)/.exec(host)?.[0] ?? '').toLowerCase().replace(/\.$/, '');
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
