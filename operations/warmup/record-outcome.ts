import { domainOf, type DestinationRules } from '../../domain/destinations/destination-rules';
import type { Fate, NoteFate } from '../../domain/warmup/delivery-outcome';
import { noted, OTHERS, stateId, stateNow, type Warmup } from '../../domain/warmup/warmup-state';
import type { Clock } from '../../lib/clock';
import { InTurn } from '../../lib/in-turn';
import type { Logger } from '../../lib/logger';
import type { RecordStore } from '../../stores/ports/record-store';
import type { Destinations } from '../destinations/record-destination-reply';
import { WARMUP_STATES } from './warmups';

export interface NoteFateDeps extends Destinations {
  records: Pick<RecordStore, 'change'>;
  clock: Clock;
  /** The first sending server, which has mail that does not say otherwise; null: not known here. */
  firstServer: string | null;
  logger: Pick<Logger, 'warn'>;
}

type Counts = Partial<Record<Fate, number>>;

/** The destination of a warm-up: a provider that the rules name, or all others together. */
export const warmupDestination = (rules: Pick<DestinationRules, 'isNamed'>, destination: string): string =>
  rules.isNamed(destination) ? destination : OTHERS;

/**
 * Counts what became of mail of domains that are warmed up (docs/deliverability.md#warm-up). Notes of a destination
 * that come while one is written are written together. What a killed process has not written is not counted.
 */
export class FateNotes {
  private readonly owed = new Map<string, Counts>();
  private readonly writes = new InTurn();

  constructor(private readonly deps: NoteFateDeps) {}

  /** See NoteFate: the mail itself is more important. */
  readonly note: NoteFate = async (mail, fate) => {
    try {
      await this.count(mail, fate);
    } catch (err) {
      this.deps.logger.warn({ err, messageId: mail.message.id }, 'the warm-up of a domain could not count a mail');
    }
  };

  private async count({ message, server, movedTo }: Parameters<NoteFate>[0], fate: Fate): Promise<void> {
    const { warmups, routes, rules, firstServer } = this.deps;
    await warmups.refresh();
    const warmup = warmups.of(message.domainId);
    const domain = domainOf(message.to);
    if (!warmup || domain === '') return;
    const isElsewhere =
      warmup.body.server !== null && (server ?? firstServer ?? warmup.body.server) !== warmup.body.server;
    // A domain is warmed up over any server.
    if (isElsewhere || (movedTo !== undefined && warmup.body.server === null)) return;
    const id = stateId(warmup.id, warmupDestination(rules, await routes.found(domain)));
    const owed = this.owed.get(id) ?? {};
    owed[fate] = (owed[fate] ?? 0) + 1;
    this.owed.set(id, owed);
    await this.writes.run(id, () => this.write(id, warmup.body));
  }

  /** Nothing when an earlier write took it along. */
  private async write(id: string, warmup: Warmup): Promise<void> {
    const owed = this.owed.get(id);
    if (!owed) return;
    this.owed.delete(id);
    const now = this.deps.clock.now();
    await this.deps.records.change(WARMUP_STATES, id, (before) => noted(stateNow(warmup, before, now), owed), { now });
  }
}
