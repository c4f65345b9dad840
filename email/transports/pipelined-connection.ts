import type { Activity } from '../../lib/activity';
import type { Deadline } from '../../lib/deadline';
import { MailTransaction, type Delivery, type Line, type NextUse, type OutgoingMail } from './mail-transaction';
import { openSession, type OpenSession } from './open-session';
import type { Reservation, ConnectionSlots } from './connection-slots';
import type { SmtpTarget } from './smtp-options';
import type { SmtpWire } from './smtp-wire';
import { unsupportedReason } from './unsupported-reason';

/** How long the server may take to answer RSET and QUIT before the connection is closed anyway, ms. */
const RESET_WAIT = 5_000;
const QUIT_WAIT = 1_000;
/**
 * How long a successor waits for the answer to the previous mail, ms, before it requests another connection. This
 * connection is lost then, so no mail is pipelined to a server that took more than half of this time for the last one.
 */
const PATIENCE = 1_000;
const PIPELINED = 'wait for the answer to the mail before';

/** One hand-off that waits for a connection or uses one. */
export interface MailJob {
  readonly mail: OutgoingMail;
  readonly deadline: Deadline;
  /** Set while its commands are pipelined behind another mail: the job needs no other connection then. */
  pipelined: { connection: PipelinedConnection; delivery: Promise<Delivery> } | null;
}

/** State shared by the connections of one transport. */
export interface ConnectionPool {
  /** One slot per connection in use; the waiters are the mails that may become successors. */
  readonly slots: ConnectionSlots<MailJob>;
  /** Mails started on one connection, at most. */
  readonly maxMessages: number;
  readonly activity: Activity;
  /** How long the server took to answer the last mail, ms. */
  serverLatencyMs: number;
  /** What the last session that was opened said of the largest mail, and when, by the monotonic clock, ms. */
  said: { largest: number | null; at: number } | null;
}

/** The mail whose commands are on the wire behind those of the current one. It does not hold a slot yet. */
interface Successor {
  reservation: Reservation<MailJob>;
  transaction: MailTransaction;
  patience: NodeJS.Timeout;
}

/**
 * An open connection to the sending server, for one mail at a time and one pipelined behind it (RFC 2920 section 3.1).
 * It owns what belongs to its mails while they are on it: the deadline of the current one, the successor, and the slot,
 * which passes from the current mail to the successor. A successor that has waited too long, or whose own deadline has
 * expired, is withdrawn; the connection then ends with the current mail, since the server has received commands that
 * are not followed up.
 */
export class PipelinedConnection {
  private readonly wire: SmtpWire;
  private readonly line: Line;
  /** Number of mails started on it. */
  private begun = 0;
  private current: MailJob | null = null;
  private successor: Successor | null = null;
  private nextUse: NextUse = 'mail';
  /** True once a successor was withdrawn. */
  private unusable = false;

  private constructor(
    { wire, offers }: OpenSession,
    private readonly pool: ConnectionPool,
  ) {
    this.wire = wire;
    this.line = {
      wire,
      offers,
      successorCommands: () => this.pipelineSuccessor(),
      onEnd: (next, serverLatencyMs) => this.endCurrent(next, serverLatencyMs),
    };
  }

  /** Rejects with SessionError, also when the deadline expires first. */
  static async open(target: SmtpTarget, deadline: Deadline, pool: ConnectionPool): Promise<PipelinedConnection> {
    const session = await openSession(target, deadline);
    pool.said = { largest: session.offers.largest, at: performance.now() };
    return new PipelinedConnection(session, pool);
  }

  /** False once the connection ended. */
  get alive(): boolean {
    return this.wire.alive;
  }

  /** Sends one mail; the connection must carry no other. Never rejects. */
  deliver(job: MailJob): Promise<Delivery> {
    const unsupported = unsupportedReason(job.mail, this.line.offers);
    this.begun++;
    if (unsupported !== null) {
      const outcome = { kind: 'refused', permanent: true, reply: unsupported, unasked: true } as const;
      return Promise.resolve({ outcome, fenceAsked: false, slotPassedOn: false });
    }
    const transaction = new MailTransaction(this.line, job.mail, false);
    this.begin(job, transaction);
    transaction.start();
    return transaction.result;
  }

  /** Call after its last mail: true when it can carry another one; otherwise closes it. */
  async makeReady(): Promise<boolean> {
    if (this.nextUse === 'reset') await this.reset();
    if (this.nextUse === 'mail' && this.begun < this.pool.maxMessages && this.alive) return true;
    await this.quit();
    return false;
  }

  /** Sends QUIT and closes. */
  async quit(): Promise<void> {
    if (this.alive) await this.wire.ask('QUIT', QUIT_WAIT);
    this.wire.close();
  }

  /** Resets a refused transaction; closes the connection when the server does not agree in time. */
  private async reset(): Promise<void> {
    const reply = await this.wire.ask('RSET', RESET_WAIT);
    if (reply?.startsWith('2')) this.nextUse = 'mail';
    else this.wire.close();
  }

  /** From now on replies are about this mail. */
  private begin(job: MailJob, transaction: MailTransaction): void {
    this.current = job;
    this.wire.limitSilence('asking');
    this.wire.read(transaction);
    job.deadline.onExpire(() => transaction.onBroken('The hand-off took too long.', true));
  }

  /**
   * Makes the mail whose turn is next, if it suits, the successor of the current one. Returns its commands, or ''.
   */
  private pipelineSuccessor(): string {
    const { slots, maxMessages, serverLatencyMs, activity } = this.pool;
    if (!this.line.offers.pipelining || this.begun >= maxMessages || serverLatencyMs > PATIENCE / 2) return '';
    const reservation = slots.reserveNext(({ mail }) => unsupportedReason(mail, this.line.offers) === null);
    if (!reservation) return '';
    this.begun++;
    const { value: job } = reservation;
    const transaction = new MailTransaction(this.line, job.mail, true);
    const patience = setTimeout(() => this.withdrawSuccessor()?.requeue(), PATIENCE);
    this.successor = { reservation, transaction, patience };
    job.pipelined = { connection: this, delivery: transaction.result };
    job.deadline.onExpire(() => this.withdrawSuccessor()?.refuse());
    // Counts as work: the server may wait for the clock, and this mail must not wait with it.
    activity.begin(PIPELINED);
    return transaction.firstCommands();
  }

  private withdrawSuccessor(): Reservation<MailJob> | null {
    const successor = this.takeSuccessor();
    if (!successor) return null;
    this.unusable = true;
    successor.reservation.value.pipelined = null;
    return successor.reservation;
  }

  /**
   * The current mail is over: the successor gets its turn and its slot, even if only to learn that the connection has
   * ended.
   */
  private endCurrent(next: NextUse, serverLatencyMs: number | null): boolean {
    this.current?.deadline.onExpire(null);
    if (serverLatencyMs !== null) this.pool.serverLatencyMs = serverLatencyMs;
    this.nextUse = this.unusable ? 'nothing' : next;
    // Release the mail: a reference here would keep it from being collected in the young generation.
    this.current = null;
    this.wire.read(null);
    if (this.nextUse === 'nothing') this.wire.close();
    const successor = this.takeSuccessor();
    if (!successor) return false;
    const { reservation, transaction } = successor;
    this.begin(reservation.value, transaction);
    if (this.nextUse === 'nothing') transaction.onBroken('The connection ended.');
    reservation.admit();
    return true;
  }

  private takeSuccessor(): Successor | null {
    const { successor } = this;
    if (!successor) return null;
    this.successor = null;
    clearTimeout(successor.patience);
    this.pool.activity.end(PIPELINED);
    return successor;
  }
}
