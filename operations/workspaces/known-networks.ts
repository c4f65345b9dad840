import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../domain/keyring';
import { isKnownNetwork, isToBeRemembered } from '../../domain/settings/login-limit';
import { MINUTE, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { Stores } from '../../stores/ports';

export interface KnownNetworkDeps {
  stores: Pick<Stores, 'credentials'>;
  keyring: Keyring;
  clock: Clock;
  /** False while this process may write nothing; another one can. */
  mayAct: () => boolean;
  logger: Pick<Logger, 'error'>;
}

/** Pairs of a name and a network that are kept in memory. */
const REMEMBERED = 10_000;

interface Read {
  /** The last right login that is written down, ms. */
  at: number | null;
  readAt: number;
}

/**
 * The networks that logins were right from (docs/contract.md#relay-logins): in the store, shared by all processes, with
 * a small memory in front of it, so that neither each login nor each refused try asks the store.
 */
export class KnownNetworks {
  private readonly read = new LRUCache<string, Read>({
    // Not `max`, which takes the memory of all of them at once.
    maxSize: REMEMBERED,
    sizeCalculation: () => 1,
  });

  constructor(private readonly deps: KnownNetworkDeps) {}

  /** True when the login was right from there within its time. Rejects when the store does. */
  async isKnown(username: string, network: string): Promise<boolean> {
    return isKnownNetwork(await this.lastAt(username, network), this.deps.clock.now());
  }

  /** Writes a right login down, at most every few hours. A store that fails costs the memory of it, not the login. */
  async remember(username: string, network: string): Promise<void> {
    const { stores, clock, mayAct, logger } = this.deps;
    if (!mayAct()) return;
    const at = clock.now();
    try {
      if (!isToBeRemembered(await this.lastAt(username, network), at)) return;
      const hash = this.hash(username, network);
      await stores.credentials.rememberNetwork(username, hash, at);
      this.read.set(hash, { at, readAt: at });
    } catch (err) {
      logger.error({ err }, 'the network of a login was not remembered');
    }
  }

  private async lastAt(username: string, network: string): Promise<number | null> {
    const { stores, clock } = this.deps;
    const now = clock.now();
    const hash = this.hash(username, network);
    const known = this.read.get(hash);
    // Another process may have seen a right login since.
    if (known && (isKnownNetwork(known.at, now) || now < known.readAt + MINUTE)) return known.at;
    const at =
      (await stores.credentials.networkSeenAt(username, hash)) ??
      (await stores.credentials.networkSeenAt(username, this.olderHash(username, network)));
    this.read.set(hash, { at, readAt: now });
    return at;
  }

  /** No address of a customer is written down. */
  private hash(username: string, network: string): string {
    return this.deps.keyring.hash('smtp-networks', JSON.stringify([username, network]));
  }

  private olderHash(username: string, network: string): string {
    return this.deps.keyring.olderHash('smtp-networks', JSON.stringify(['smtp-network', username, network]));
  }
}
