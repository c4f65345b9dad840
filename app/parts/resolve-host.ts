import { promises as dns } from 'node:dns';
import { Deadline } from '../../lib/deadline';
import { Semaphore } from '../../lib/semaphore';

export interface HostResolverOptions {
  /** Addresses of DNS servers, `1.1.1.1` or `127.0.0.1:5353`, in place of the system's. */
  servers?: readonly string[];
  /** Look-ups at a time; the others wait for their turn. */
  places?: number;
  /** Time for one host, its turn included, ms. */
  wait?: number;
}

/** Time for one answer, ms, and how often a server is asked. */
const TIMEOUT = 2_000;
const TRIES = 2;
/** What the DNS says of a name that is not there, or has no address of a kind. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks up every address of a host name, IPv4 and IPv6, in the DNS alone: what the machine's own files say of a name is no matter
 * of those who give one. Empty when it has none; rejects when the DNS did not answer in time. One kind of address will do when
 * the servers of the name fail over the other.
 */
export function hostResolver({ servers = [], places = 50, wait = 5_000 }: HostResolverOptions = {}) {
  const slots = new Semaphore(places);
  return async function resolveHost(name: string): Promise<string[]> {
    const deadline = new Deadline(wait);
    try {
      if (!(await slots.acquire({ timeout: wait }))) throw new Error(`No turn to look up ${name} in time.`);
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

async function lookUp(name: string, servers: readonly string[], deadline: Deadline): Promise<string[]> {
  // One of its own: it can be cancelled, and knows the servers as the system names them now.
  const resolver = new dns.Resolver({ timeout: TIMEOUT, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  deadline.onExpire(() => resolver.cancel());
  const kinds = await Promise.allSettled([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))]);
  const addresses = kinds.flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []));
  const failed = kinds.find((kind) => kind.status === 'rejected');
  if (addresses.length === 0 && failed) throw failed.reason;
  return addresses;
}

async function orNone(addresses: Promise<string[]>): Promise<string[]> {
  try {
    return await addresses;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
