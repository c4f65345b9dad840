import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { Logger } from '../../lib/logger';
import { WorkerLoop } from '../../lib/worker-loop';

const REFRESH_EVERY = 60_000;
/** An unknown peer may trigger lookups of the names this often, ms. */
const REFRESH_AT_MOST = 1_000;

/**
 * Whose delivery reports count (docs/architecture.md#feedback): loopback, the host of the sending server, and the
 * configured hosts. Names are looked up at the start and every minute. A name that cannot be resolved keeps its last
 * addresses.
 */
export class ReportPeers {
  private readonly fixed = new BlockList();
  private readonly names: string[] = [];
  private readonly resolved = new Map<string, Set<string>>();
  private readonly unresolved = new Set<string>();
  private refreshedAt = -Infinity;
  private readonly refreshing: WorkerLoop;

  constructor(
    peers: readonly string[],
    private readonly logger: Logger,
  ) {
    this.fixed.addSubnet('127.0.0.0', 8);
    this.fixed.addAddress('::1', 'ipv6');
    for (const peer of peers) this.add(peer);
    this.refreshing = new WorkerLoop({
      iterate: async () => {
        await this.refresh();
        return REFRESH_EVERY;
      },
      onError: (err) => logger.warn({ err }, 'the report peers could not be looked up'),
      ref: false,
    });
  }

  async start(): Promise<void> {
    await this.refresh();
    this.refreshing.start(REFRESH_EVERY);
  }

  stop(): void {
    void this.refreshing.stop();
  }

  /**
   * Whether the peer's reports count. An unknown peer may be a known host with a new address, so the names are looked
   * up once more. If a name cannot be resolved, this rejects: it is better that the report is sent again than that it
   * is thrown away.
   */
  async judge(remoteAddress: string): Promise<boolean> {
    if (this.trusts(remoteAddress)) return true;
    if (this.names.length === 0) return false;
    if (performance.now() - this.refreshedAt > REFRESH_AT_MOST) await this.refresh();
    if (this.trusts(remoteAddress)) return true;
    if (this.unresolved.size > 0)
      throw new Error(`report peers cannot be looked up: ${[...this.unresolved].join(', ')}`);
    return false;
  }

  private trusts(remoteAddress: string): boolean {
    const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
    const family = isIP(address);
    if (family === 0) return false;
    if (this.fixed.check(address, family === 6 ? 'ipv6' : 'ipv4')) return true;
    return [...this.resolved.values()].some((addresses) => addresses.has(address));
  }

  private add(peer: string): void {
    const family = isIP(peer);
    if (family === 0) this.names.push(peer);
    else this.fixed.addAddress(peer, family === 6 ? 'ipv6' : 'ipv4');
  }

  private async refresh(): Promise<void> {
    this.refreshedAt = performance.now();
    for (const name of this.names) {
      try {
        const found = await lookup(name, { all: true });
        this.resolved.set(name, new Set(found.map(({ address }) => address)));
        this.unresolved.delete(name);
      } catch (error) {
        this.unresolved.add(name);
        this.logger.warn({ err: error, name }, 'a report peer could not be looked up');
      }
    }
  }
}
