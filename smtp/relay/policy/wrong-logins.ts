import { LRUCache } from 'lru-cache';
import { mayTryLogin, WRONG_LOGINS, type WrongLoginCounts } from '../../../domain/settings/login-limit';
import type { RateLimiter, RateState } from '../../../stores/ports/rate-limiter';
import { MINUTE } from '../../../lib/clock';
import { clientNetwork } from '../../../lib/client-network';
import type { Peer } from '../protocol/policy';
import { KnownNetworks, type KnownNetworkDeps } from '../../../operations/workspaces/known-networks';

export interface WrongLoginDeps extends KnownNetworkDeps {
  rateLimiter: RateLimiter;
  sleep: (ms: number) => Promise<void>;
}

/** Each wrong login of a minute is answered this much later than the one before, ms. */
const SLOWER_BY = 300;
const SLOWEST = 1_000;
/** Names, networks and pairs that are remembered, each. */
const REMEMBERED = 10_000;

type Kind = keyof WrongLoginCounts;
type Keys = Readonly<Record<Kind, string>>;

/**
 * Slows wrong logins down and limits them, by user name and network together and by each
 * (docs/contract.md#relay-logins). The counts are shared by all processes; each process knows them as of the last wrong
 * login that it saw itself.
 */
export class WrongLogins {
  /** What was counted last, and the end of its minute, ms. */
  private readonly counted = new LRUCache<string, { count: number; until: number }>({
    // Not `max`, which takes the memory of all of them at once.
    maxSize: 3 * REMEMBERED,
    sizeCalculation: () => 1,
  });
  private readonly networks: KnownNetworks;

  constructor(private readonly deps: WrongLoginDeps) {
    this.networks = new KnownNetworks(deps);
  }

  /** True when the login is not to be looked at for now. Rejects when the store does. */
  async isBlocked(username: string, peer: Peer): Promise<boolean> {
    const keys = this.keys(username, peer);
    const count = (kind: Kind): number => this.countOf(keys[kind]);
    const counts = { ofPair: count('ofPair'), ofName: count('ofName'), fromNetwork: count('fromNetwork') };
    return !(await this.mayTry(counts, username, peer));
  }

  /** Remembers the network of a right login. */
  async noteRight(username: string, { address }: Peer): Promise<void> {
    await this.networks.remember(username, clientNetwork(address));
  }

  /**
   * Counts a wrong login that came at `startedAt` (of `performance.now()`), and resolves when it is to be answered.
   * That moment depends on the counts alone, not on what was wrong. True when the login was above a limit.
   */
  async noteWrong(username: string, peer: Peer, startedAt: number): Promise<boolean> {
    const keys = this.keys(username, peer);
    const [ofPair, ofName, fromNetwork] = await Promise.all([
      this.take(keys, 'ofPair'),
      this.take(keys, 'ofName'),
      this.take(keys, 'fromNetwork'),
    ]);
    const before = { ofPair: usedBefore(ofPair), ofName: usedBefore(ofName), fromNetwork: usedBefore(fromNetwork) };
    const mayTry = await this.mayTry(before, username, peer);
    const wait =
      Math.min(SLOWEST, Math.max(usedOf(ofName), usedOf(fromNetwork)) * SLOWER_BY) - (performance.now() - startedAt);
    if (wait > 0) await this.deps.sleep(wait);
    return !mayTry;
  }

  /** Asks for the network only when it decides. */
  private async mayTry(counts: WrongLoginCounts, username: string, { address }: Peer): Promise<boolean> {
    if (mayTryLogin(counts, false)) return true;
    return mayTryLogin(counts, true) && this.networks.isKnown(username, clientNetwork(address));
  }

  private async take(keys: Keys, kind: Kind): Promise<RateState> {
    const state = await this.deps.rateLimiter.take(keys[kind], WRONG_LOGINS[kind]);
    this.counted.set(keys[kind], { count: usedOf(state), until: state.resetAt });
    return state;
  }

  private countOf(key: string): number {
    const counted = this.counted.get(key);
    const left = counted ? counted.until - this.deps.clock.now() : 0;
    // More than its minute is left only where the clock was ahead.
    return counted && left > 0 && left <= MINUTE ? counted.count : 0;
  }

  /** User names are hashed: what is given as one may be an address, or a password. */
  private keys(username: string, { address }: Peer): Keys {
    const hashed = this.deps.keyring.hash('smtp-names', username);
    const network = clientNetwork(address);
    return {
      ofPair: `smtp-pair:${hashed}:${network}`,
      ofName: `smtp-name:${hashed}`,
      fromNetwork: `smtp-from:${network}`,
    };
  }
}

/** At most the limit. */
const usedOf = ({ limit, remaining }: RateState): number => limit - remaining;

/** The same without the login that was just counted. */
const usedBefore = (state: RateState): number => (state.exceeded ? state.limit : usedOf(state) - 1);
