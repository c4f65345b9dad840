import type { BounceRules } from '../../domain/bounces/bounce-rules';
import { domainOf, type DestinationRules } from '../../domain/destinations/destination-rules';
import { outcomeOfRefusal, outcomeOfReport, type DeliveryOutcome } from '../../domain/warmup/delivery-outcome';
import { counted, OTHERS, stateId, stateNow, type Warmup } from '../../domain/warmup/warmup-state';
import type { Message } from '../../domain/messages/message';
import { serverOfFence } from '../../domain/sending/server-routes';
import { isOfServer } from '../../email/transports/transport';
import type { Clock } from '../../lib/clock';
import { InTurn } from '../../lib/in-turn';
import type { RecordStore } from '../../stores/ports/record-store';
import type { Destinations } from '../destinations/record-destination-reply';
import type { EndedHandOff, HandOffEnd, MailOutcome, OutcomeSubscriber, Report } from '../messages/mail-outcome';
import { WARMUP_STATES } from './warmups';

export interface WarmupOutcomesDeps extends Destinations {
  records: Pick<RecordStore, 'change'>;
  clock: Clock;
  bounceRules: BounceRules;
  /** The first sending server, which has mail that does not say otherwise; null: not known here. */
  firstServer: string | null;
}

type Counts = Partial<Record<DeliveryOutcome, number>>;

/** The destination of a warm-up: a provider that the rules name, or all others together. */
export const warmupDestination = (rules: Pick<DestinationRules, 'isNamed'>, destination: string): string =>
  rules.isNamed(destination) ? destination : OTHERS;

/** What a warm-up counts of a mail: over which server, as the hand-off named it, and over which one it went instead. */
interface Counted {
  message: Pick<Message, 'to' | 'domainId'>;
  server: string | undefined;
  movedTo?: string | undefined;
  outcome: DeliveryOutcome;
}

/**
 * Counts what became of mail of domains that are warmed up (docs/deliverability.md#warm-up). Outcomes of a destination
 * that come while one is written are written together. What a killed process has not written is not counted.
 */
export class WarmupOutcomes implements OutcomeSubscriber {
  readonly name = 'warm-up';
  private readonly owed = new Map<string, Counts>();
  private readonly writes = new InTurn();

  constructor(private readonly deps: WarmupOutcomesDeps) {}

  stored(outcome: MailOutcome): void | Promise<void> {
    const found = outcome.from === 'report' ? ofReport(outcome) : ofHandOff(outcome, this.deps.bounceRules);
    if (found.length > 0) return this.countAll(found);
  }

  private async countAll(found: readonly Counted[]): Promise<void> {
    for (const one of found) await this.count(one);
  }

  private async count({ message, server, movedTo, outcome }: Counted): Promise<void> {
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
    owed[outcome] = (owed[outcome] ?? 0) + 1;
    this.owed.set(id, owed);
    await this.writes.run(id, () => this.write(id, warmup.body));
  }

  /** Nothing when an earlier write took it along. */
  private async write(id: string, warmup: Warmup): Promise<void> {
    const owed = this.owed.get(id);
    if (!owed) return;
    this.owed.delete(id);
    const now = this.deps.clock.now();
    await this.deps.records.change(WARMUP_STATES, id, (before) => counted(stateNow(warmup, before, now), owed), {
      now,
    });
  }
}

/**
 * Of a mail that is tried again, the first refusal, and that it did not go at first or went over another server. What
 * the server does not take, or takes from nobody, says nothing about the sender.
 */
function ofHandOff({ message, handOff, ended, over }: HandOffEnd, bounceRules: BounceRules): readonly Counted[] {
  const unsent = unsentOver(over, ended);
  if (!unsent && ended.kind !== 'refused') return NOTHING;
  const found: Counted[] = [];
  // A mail that is tried again took its room before.
  if (unsent && handOff.attempt === 1) found.push({ message, server: over, ...unsent, outcome: 'unsent' });
  if ((unsent && !unsent.movedTo) || ended.kind !== 'refused' || (!ended.permanent && message.refusedAt !== null))
    return found;
  const outcome = outcomeOfRefusal(bounceRules.classify(ended.reply).class, ended.permanent);
  if (outcome !== null) found.push({ message, server: ended.server, outcome });
  return found;
}

/** Null for a mail that its server has, or has judged. */
function unsentOver(over: string | undefined, ended: EndedHandOff): { movedTo?: string } | null {
  if (ended.kind === 'recipient_gone' || 'unasked' in ended || isOfServer(ended)) return {};
  const { server } = ended;
  return over === undefined || server === undefined || server === over ? null : { movedTo: server };
}

function ofReport({ message, feedback }: Report): readonly Counted[] {
  const outcome = outcomeOfReport(feedback, message.refusedClass === null);
  return outcome === null ? NOTHING : [{ message, server: serverOfFence(message.fence), outcome }];
}

const NOTHING: readonly Counted[] = [];
