import { MINUTE } from '../../lib/clock';
import { RoutedServer, type NamedTransport, type RoutedHandOff } from './routed-server';
import { isOfServer, type Envelope, type HandOffOutcome, type Transport } from './transport';

/** A hand-off moves on to another server within this time only, ms, so that its last one ends before the claim does. */
const MOVES_WITHIN = MINUTE;

/**
 * Several sending servers as one. A mail goes over `envelope.server`, or else over the first. After a definite failure
 * of that server it goes over the next one in order: no session could be opened, or the session ended or was silent,
 * before the server asked for the mail. What a server says about the mail itself is its outcome, and so is all after
 * the fence. A server that cannot take the mail does not take over. When no other server takes it, the outcome is that
 * of its own.
 */
export class RoutedTransport implements Transport {
  private readonly servers: readonly RoutedServer[];

  /** `servers`: one at least. `apart`: those that take over from none; never rejects. `realTime`: ms. */
  constructor(
    servers: readonly NamedTransport[],
    private readonly apart: () => Promise<ReadonlySet<string>>,
    private readonly realTime: () => number = () => performance.now(),
  ) {
    this.servers = servers.map((server) => new RoutedServer(server, realTime));
  }

  async handOff(
    envelope: Envelope,
    raw: Buffer,
    fence: (server?: string) => Promise<boolean>,
  ): Promise<HandOffOutcome> {
    const until = this.realTime() + MOVES_WITHIN;
    const mail = { envelope, raw, fence };
    const chosen = this.chosen(envelope.server);
    const { outcome, isFenceAsked, isTried } = await chosen.handOver(mail);
    if (isFenceAsked || !isOfServer(outcome)) return outcome;
    const isLate = (): boolean => this.realTime() > until;
    for (const server of await this.substitutes(chosen, mail)) {
      if (isLate()) return outcome;
      const moved = await server.handOver(mail);
      if (moved.isFenceAsked || !(isOfServer(moved.outcome) || 'unasked' in moved.outcome)) return moved.outcome;
    }
    return isTried || isLate() || !chosen.failsQuickly ? outcome : (await chosen.handOver(mail, true)).outcome;
  }

  largestMail(server?: string): number | null {
    return this.chosen(server).largestMail();
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }

  private chosen(name: string | undefined): RoutedServer {
    return this.servers.find((server) => server.name === name) ?? this.servers[0]!;
  }

  /** The usual server of the mail comes first, and those that fail last. */
  private async substitutes(chosen: RoutedServer, { envelope, raw }: RoutedHandOff): Promise<RoutedServer[]> {
    const apart = await this.apart();
    const mayTakeOver = (server: RoutedServer): boolean =>
      server !== chosen && !apart.has(server.name) && (server.largestMail() ?? Infinity) >= raw.length;
    const rank = ({ name, isFailing }: RoutedServer): number => (isFailing ? 2 : name === envelope.usual ? 0 : 1);
    return this.servers.filter(mayTakeOver).sort((a, b) => rank(a) - rank(b));
  }
}
