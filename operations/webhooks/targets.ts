import { addressBytes, isPublicAddress } from '../../domain/webhooks/public-address';
import { readWebhookUrl, type MayBePrivate, type WebhookUrlFault } from '../../domain/webhooks/webhook-url';
import { readUrl } from '../../lib/read-url';

/** All addresses of a host name; empty when it has none. Rejects when there was no answer. */
export type ResolveHost = (name: string) => Promise<string[]>;

export interface TargetOptions {
  /** Hosts that may be private and need no TLS: names or IP addresses, without port. */
  privateHosts: readonly string[];
  /** The same for URLs of one more name below this URL, which ends with a slash; null: for none. */
  ownHooks: () => string | null;
  /** For the names that callers supply: asks the DNS only. */
  resolveHost: ResolveHost;
  /** For the names of private hosts and of `ownHooks`: also asks the machine's own files. */
  resolveLocally: ResolveHost;
}

export type TargetFault = WebhookUrlFault | 'unresolved' | 'unanswered';

/** A URL with the addresses that were checked, in the order of the look-up, or why it may not be reached. */
export type Target =
  { ok: true; url: URL; addresses: [string, ...string[]] } | { ok: false; fault: TargetFault; cause?: unknown };

/**
 * What webhooks may reach: the one rule, at registration and at every attempt (docs/contract.md#webhook-url;
 * docs/decisions/0030-webhook-urls-must-be-public.md).
 */
export interface WebhookTargets {
  /** The part that needs no look-up. */
  mayBePrivate: MayBePrivate;
  /** Checks the text of a URL, then all its addresses. Never rejects. */
  find(url: string): Promise<Target>;
}

/** A hook of the sandbox is one plain name, so that no path leads out of its folder. */
const HOOK_NAME = /^[\w.~-]+$/;

/** The URLs that may be private. */
export function privateUrls({
  privateHosts,
  ownHooks,
}: Pick<TargetOptions, 'privateHosts' | 'ownHooks'>): MayBePrivate {
  const hosts = new Set(privateHosts.map(normalized));
  return (url) => hosts.has(withoutLastDot(url.hostname)) || isOwnHook(url, ownHooks());
}

export function createWebhookTargets(options: TargetOptions): WebhookTargets {
  const resolveHost = sharing(options.resolveHost);
  const resolveLocally = sharing(options.resolveLocally);
  const mayBePrivate = privateUrls(options);
  return {
    mayBePrivate,
    async find(text) {
      const read = readWebhookUrl(text, mayBePrivate);
      if (!read.ok) return read;
      const { url, host } = read;
      if (host.kind === 'address') return { ok: true, url, addresses: [url.hostname.replace(/^\[|\]$/g, '')] };
      return addressesOf(url, host.name, read.mayBePrivate ? resolveLocally : resolveHost, read.mayBePrivate);
    },
  };
}

async function addressesOf(url: URL, name: string, resolve: ResolveHost, mayBePrivate: boolean): Promise<Target> {
  let addresses: string[];
  try {
    addresses = await resolve(name);
  } catch (cause) {
    return { ok: false, fault: 'unanswered', cause };
  }
  const [first, ...others] = new Set(addresses);
  if (first === undefined) return { ok: false, fault: 'unresolved' };
  // Any of them may be the one that is connected to.
  if (!mayBePrivate && !addresses.every(isPublic)) return { ok: false, fault: 'internal' };
  return { ok: true, url, addresses: [first, ...others] };
}

function isPublic(address: string): boolean {
  const bytes = addressBytes(address);
  return bytes !== null && isPublicAddress(bytes);
}

/** The host as a URL parser writes it. */
function normalized(host: string): string {
  const url = readUrl(`http://${host.includes(':') ? `[${host}]` : host}`);
  return withoutLastDot(url?.hostname ?? host);
}

const withoutLastDot = (hostname: string): string => hostname.replace(/\.$/, '');

function isOwnHook(url: URL, base: string | null): boolean {
  const own = base === null ? null : readUrl(base);
  if (!own || url.origin !== own.origin || !url.pathname.startsWith(own.pathname)) return false;
  return HOOK_NAME.test(url.pathname.slice(own.pathname.length));
}

/** Callers that ask for a name while it is looked up share the answer. */
function sharing(resolve: ResolveHost): ResolveHost {
  const running = new Map<string, Promise<string[]>>();
  return (name) => {
    const known = running.get(name);
    if (known) return known;
    const look = resolve(name).finally(() => running.delete(name));
    running.set(name, look);
    return look;
  };
}
