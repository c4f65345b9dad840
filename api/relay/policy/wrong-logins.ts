import { LRUCache } from 'lru-cache';
import { DAY, type Clock } from '../../../lib/clock';
import type { Keyring } from '../../../domain/keyring';
import type { RateLimiter, RateState } from '../../../stores/ports/rate-limiter';
import { clientNetwork } from '../../rate-limit/client-network';
import type { Peer } from '../protocol/policy';

export interface WrongLoginDeps {
  rateLimiter: RateLimiter;
  keyring: Keyring;
  clock: Clock;
  sleep: (ms: number) => Promise<void>;
}

/** Wrong logins of a minute, of one user name and from one network. */
const OF_A_NAME = 20;
const FROM_A_NETWORK = 60;
/** Each wrong login of a minute is answered this much later than the one before, ms. */
const SLOWER_BY = 300;
const SLOWEST = 1_000;
/** Names, networks and pairs that are remembered, each. */
const REMEMBERED = 10_000;

interface Names {
  name: string;
  network: string;
  pair: string;
}

/**
 * Slows wrong logins down and limits them, by user name and by network (docs/contract.md#relay-replies). The counts are
 * shared by all processes; a block is known to each process from the first wrong login it sees above the limit. A user
 * who logged in from the same network within a day is not blocked by the wrong logins of others.
 */
export class WrongLogins {
  /** The end of each block, ms. */
  private readonly blocked = new LRUCache<string, number>({ max: 2 * REMEMBERED });
  /** When each user last logged in from a network, ms. */
  private readonly seen = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(private readonly deps: WrongLoginDeps) {}

  /** True when the login is not to be looked at for now. */
  isBlocked(username: string, peer: Peer): boolean {
    const { name, network, pair } = this.names(username, peer);
    const now = this.deps.clock.now();
    const seenAt = this.seen.get(pair);
    if (seenAt !== undefined && now < seenAt + DAY) return false;
    return [name, network].some((key) => now < (this.blocked.get(key) ?? 0));
  }

  noteRight(username: string, peer: Peer): void {
    this.seen.set(this.names(username, peer).pair, this.deps.clock.now());
  }

  /**
   * Counts a wrong login that came at `startedAt` (of `performance.now()`), and resolves when it is to be answered. That
   * moment depends on the counts alone, not on what was wrong. True when the login is above a limit.
   */
  async noteWrong(username: string, peer: Peer, startedAt: number): Promise<boolean> {
    const { rateLimiter, sleep } = this.deps;
    const { name, network, pair } = this.names(username, peer);
    const [ofName, fromNetwork] = await Promise.all([
      rateLimiter.take(name, OF_A_NAME),
      rateLimiter.take(network, FROM_A_NETWORK),
    ]);
    this.seen.delete(pair);
    this.block(name, ofName);
    this.block(network, fromNetwork);
    const count = Math.max(countOf(ofName), countOf(fromNetwork));
    const wait = Math.min(SLOWEST, count * SLOWER_BY) - (performance.now() - startedAt);
    if (wait > 0) await sleep(wait);
    return ofName.exceeded || fromNetwork.exceeded;
  }

  private block(key: string, { exceeded, resetAt }: RateState): void {
    if (exceeded) this.blocked.set(key, resetAt);
  }

  /** User names are hashed: what is given as one may be an address, or a password. */
  private names(username: string, { address }: Peer): Names {
    const hashed = this.deps.keyring.hashKey(username);
    const network = clientNetwork(address);
    return { name: `smtp-name:${hashed}`, network: `smtp-from:${network}`, pair: `${hashed} ${network}` };
  }
}

const countOf = ({ limit, remaining }: RateState): number => limit - remaining;
