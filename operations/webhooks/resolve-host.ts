import { promises as dns } from 'node:dns';
import { withTimeout } from '../../lib/with-timeout';
import { Deadline } from '../../lib/deadline';
import { Semaphore } from '../../lib/semaphore';

export interface HostResolverOptions {
  /** Addresses of DNS servers, `1.1.1.1` or `127.0.0.1:5353`, instead of the system's. */
  servers?: readonly string[];
  /** Lookups at a time; others wait for their turn. */
  lookups?: number;
  /** Time limit for one host, including the wait for its turn, ms. */
  wait?: number;
}

/** Time limit of one answer, ms, and tries per server. */
const TIMEOUT = 2_000;
const TRIES = 2;
/** Time limit of a local lookup, ms. */
const LOCAL_WAIT = 5_000;
/** DNS codes for a name that does not exist or has no address of a kind. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks up every address of a host name, IPv4 and IPv6, in the DNS only: the machine's own hosts file must not affect
 * names that others supply. Empty when there is none. Rejects when the DNS did not answer in time. One kind of address
 * is enough when the name's servers fail on the other.
 */
export function hostResolver({ servers = [], lookups = 50, wait = 5_000 }: HostResolverOptions = {}) {
  const slots = new Semaphore(lookups);
  return async function resolveHost(name: string): Promise<string[]> {
    const deadline = new Deadline(wait);
    try {
      if (!(await slots.acquire({ timeout: wait })))
        throw new Error(`Too many lookups: ${name} was not looked up in time.`);
      try {
        return await lookUp(name, servers, deadline);
      } finally {
        slots.release();
      }
    } finally {
      deadline.cancel();
    }
  };
}

/**
 * Looks up every address of a host name as this machine does for itself, its hosts file included: for names that the
 * operator chose. Empty when there is none; rejects when there was no answer in time.
 */
export async function lookUpLocally(name: string): Promise<string[]> {
  const found = await withTimeout(orNone(dns.lookup(name, { all: true })), LOCAL_WAIT, { what: `looking up ${name}` });
  return found.map(({ address }) => address);
}

async function lookUp(name: string, servers: readonly string[], deadline: Deadline): Promise<string[]> {
  // A resolver for this lookup: it can be cancelled and uses the system's current servers.
  const resolver = new dns.Resolver({ timeout: TIMEOUT, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const queries = [orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))];
  // Only now: a deadline that has expired already cancels at once, and cancels only what was started.
  deadline.onExpire(() => resolver.cancel());
  const kinds = await Promise.allSettled(queries);
  const addresses = kinds.flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []));
  const failed = kinds.find((kind) => kind.status === 'rejected');
  if (addresses.length === 0 && failed) throw failed.reason;
  return addresses;
}

async function orNone<T>(addresses: Promise<T[]>): Promise<T[]> {
  try {
    return await addresses;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
