import { Histogram, type Registry } from 'prom-client';
import { BOUNCE_CLASSES, type BounceClass } from '../../domain/bounces/bounce-class';
import type { LedgerKind } from '../../domain/ledger/coins';
import {
  firstDue,
  LANES,
  type AttemptOutcome,
  type Channel,
  type Lane,
  type Message,
} from '../../domain/messages/message';
import type { AcceptOutcome, MessageChange, RecipientRefusal } from '../../stores/ports/message-store';
import { LONG_WAITS, SHORT_TIMES, WAITS } from './buckets';
import { seriesOf, seriesOfPairs, Tally } from './tally';

const CHANNELS = ['api', 'smtp', 'app'] as const satisfies readonly Channel[];
const NOT_ACCEPTED = ['no_coins', 'suppressed', 'unsubscribed', 'stale_step', 'duplicate'] as const satisfies readonly (
  RecipientRefusal | 'duplicate'
)[];
const ATTEMPT_OUTCOMES = [
  ...(['sent', 'refused_temporarily', 'refused_permanently', 'not_sent', 'unknown', 'unconfirmed'] as const),
] satisfies readonly AttemptOutcome[];
const FINAL = ['delivered', 'bounced', 'failed'] as const satisfies readonly Message['status'][];
type Final = (typeof FINAL)[number];
const LEDGER_KINDS = ['debit', 'refund', 'penalty', 'topup', 'grant'] as const satisfies readonly LedgerKind[];

const isFinal = (status: Message['status'] | undefined): status is Final =>
  status !== undefined && (FINAL as readonly string[]).includes(status);

/** What this process did with messages and coins, from the results of its calls of the stores. */
export class MessageMetrics {
  private readonly acceptedBy: Tally<`${Channel} ${Lane}`>;
  private readonly notAccepted: Tally<(typeof NOT_ACCEPTED)[number]>;
  private readonly claimedOf: Tally<Lane>;
  private readonly outcomes: Tally<`${Final} ${Lane}`>;
  private readonly handOffs: Tally<AttemptOutcome>;
  private readonly refusals: Tally<BounceClass>;
  private readonly complaints: Tally<''>;
  private readonly coinsOf: Tally<LedgerKind>;
  /** How long messages waited, and how long the store took. */
  readonly waits: Waits;

  constructor(register: Registry) {
    const tally = <K extends string>(name: string, help: string, series: Record<K, Record<string, string>>): Tally<K> =>
      new Tally(register, { name, help, series });
    const lanes = ['lane', LANES] as const;
    this.acceptedBy = tally(
      'kurir_messages_accepted_total',
      'Messages accepted, including those of campaigns.',
      seriesOfPairs(['channel', CHANNELS], lanes),
    );
    this.notAccepted = tally(
      'kurir_messages_not_accepted_total',
      'Messages refused because of their recipient or the balance, and repeats of existing messages.',
      seriesOf('reason', NOT_ACCEPTED),
    );
    this.claimedOf = tally(
      'kurir_messages_claimed_total',
      'Messages claimed: a coin taken, queued -> sending.',
      seriesOf('lane', LANES),
    );
    this.outcomes = tally(
      'kurir_message_outcomes_total',
      'Messages that became delivered, bounced or failed, including those refused when claimed.',
      seriesOfPairs(['status', FINAL], lanes),
    );
    this.handOffs = tally(
      'kurir_hand_offs_total',
      'Finished hand-offs to the sending server, by outcome; sent: accepted by it.',
      seriesOf('outcome', ATTEMPT_OUTCOMES),
    );
    this.refusals = tally(
      'kurir_refusals_total',
      'Refusals by a sending server or in a report, by class (docs/bounces.md).',
      seriesOf('class', BOUNCE_CLASSES),
    );
    this.complaints = tally('kurir_complaints_total', 'Messages with a first complaint.', { '': {} });
    this.coinsOf = tally('kurir_coins_total', 'Coins booked, as absolute values.', seriesOf('kind', LEDGER_KINDS));
    this.waits = new Waits(register);
  }

  accepted(channel: Channel, lane: Lane, outcome: AcceptOutcome): void {
    if (outcome.kind === 'accepted') this.acceptedBy.add(`${channel} ${lane}`);
    else this.notAccepted.add(outcome.kind === 'refused' ? outcome.reason : 'duplicate');
  }

  /** Rows of a campaign that became messages. */
  fed(messages: number): void {
    this.acceptedBy.add('app campaign', messages);
  }

  /** Queued messages of a cancelled campaign, which failed. */
  cancelled(messages: number): void {
    this.outcomes.add('failed campaign', messages);
  }

  claimed(lane: Lane, { claimed, refused }: { claimed: number; refused: number }): void {
    this.claimedOf.add(lane, claimed);
    this.coinsOf.add('debit', claimed);
    this.outcomes.add(`failed ${lane}`, refused);
  }

  booked(kind: LedgerKind, amount: number): void {
    this.coinsOf.add(kind, Math.abs(amount));
  }

  /** A change that was written; `before` is the message that it was decided on. */
  changed(before: Message, { set, at, attempt }: MessageChange): void {
    if (attempt?.outcome !== undefined) this.handOffs.add(attempt.outcome);
    if (typeof set.fence === 'string' && before.attempt === 1) {
      this.waits.claim.observe({ lane: before.lane }, seconds((before.firstClaimedAt ?? at) - firstDue(before)));
    }
    if (attempt?.outcome === 'sent') {
      this.waits.handOver.observe({ lane: before.lane }, seconds(at - firstDue(before)));
    }
    if (isFinal(set.status) && set.status !== before.status) this.final(before, set.status, at);
    if (set.refusedClass != null) this.refusals.add(set.refusedClass);
    if (set.complainedAt != null && before.complainedAt === null) this.complaints.add('');
  }

  private final(before: Message, status: Final, at: number): void {
    this.outcomes.add(`${status} ${before.lane}`);
    if (status !== 'failed' && before.dispatchedAt !== null)
      this.waits.report.observe(seconds(at - before.dispatchedAt));
  }
}

class Waits {
  readonly claim: Histogram<'lane'>;
  readonly handOver: Histogram<'lane'>;
  readonly report: Histogram;
  readonly acceptTime: Histogram;
  readonly claimTime: Histogram;

  constructor(register: Registry) {
    const registers = [register];
    const labelNames = ['lane'] as const;
    this.claim = new Histogram({
      name: 'kurir_claim_wait_seconds',
      registers,
      labelNames,
      buckets: WAITS,
      help: 'From acceptance, or send_at, to the first claim, of messages handed over for the first time.',
    });
    this.handOver = new Histogram({
      name: 'kurir_hand_over_wait_seconds',
      registers,
      labelNames,
      buckets: WAITS,
      help: 'From acceptance, or send_at, until the sending server accepted the message.',
    });
    this.report = new Histogram({
      name: 'kurir_report_wait_seconds',
      registers,
      buckets: LONG_WAITS,
      help: 'From the hand-over to the report that settled the message.',
    });
    this.acceptTime = new Histogram({
      name: 'kurir_accept_seconds',
      registers,
      buckets: SHORT_TIMES,
      help: 'How long the store took to accept the messages of one request durably.',
    });
    this.claimTime = new Histogram({
      name: 'kurir_claim_seconds',
      registers,
      buckets: SHORT_TIMES,
      help: 'How long the store took for one claim.',
    });
    for (const lane of LANES) for (const wait of [this.claim, this.handOver]) wait.zero({ lane });
  }
}

const seconds = (ms: number): number => Math.max(0, ms) / 1_000;
