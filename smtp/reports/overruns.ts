import { LRUCache } from 'lru-cache';
import { widerNetwork } from '../../lib/client-network';
import { DAY, HOUR, type Clock } from '../../lib/clock';

const MAX_NETWORKS = 10_000;

/** The networks that sent an aggregate report larger than any is, in this process. */
export class Overruns {
  private readonly networks = new LRUCache<string, { count: number; until: number }>({ max: MAX_NETWORKS });

  constructor(private readonly clock: Clock) {}

  /** How long nothing more of this kind is taken from the network of the peer, ms; 0: it is taken. */
  waitOf(peer: string): number {
    return Math.max(0, (this.networks.get(widerNetwork(peer))?.until ?? 0) - this.clock.now());
  }

  /** Counts one: an hour the first time, twice as long each further time, a day at most; forgotten a day after. */
  note(peer: string): void {
    const now = this.clock.now();
    const network = widerNetwork(peer);
    const known = this.networks.get(network);
    const count = known && known.until + DAY > now ? known.count + 1 : 1;
    this.networks.set(network, { count, until: now + Math.min(DAY, HOUR * 2 ** (count - 1)) });
  }
}
