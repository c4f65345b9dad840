import { Activity, recordTask } from '../../lib/activity';
import { Deadline } from '../../lib/deadline';
import { envelopeAddress } from './envelope-address';
import { IdleConnections } from './idle-connections';
import type { Delivery, OutgoingMail } from './mail-transaction';
import { SessionError } from './open-session';
import { PipelinedConnection, type ConnectionPool, type MailJob } from './pipelined-connection';
import { ConnectionSlots } from './connection-slots';
import { smtpTarget, type SmtpTarget, type SmtpTransportOptions } from './smtp-options';
import { oneLine } from './smtp-reply';
import type { Envelope, HandOffOutcome, Transport } from './transport';

/**
 * Opening a connection costs as much CPU as some thirty mails. A server that wants fewer mails per connection says 421,
 * which costs no mail.
 */
const MAX_MESSAGES = 500;
const KEEP_IDLE = 20_000;
/** How long what a server said of its largest mail counts, ms: its limit may have been raised since. */
const KEEP_SAID = 60_000;
const CLOSED = 'The transport is closed.';
const RELEASE = 'release of a connection';

type SilentDelivery = Delivery & { outcome: { kind: 'not_sent' } };

/**
 * Hand-off over SMTP (RFC 5321, 2920 pipelining, 3461 DSN) with a pool of connections. Throws a clear error for invalid
 * options. If a reused connection turns out to be dead before the server asked for the mail, a fresh one replaces it at
 * once, within the same hand-off. While all connections are in use, the mail whose turn is next is pipelined
 * behind the end of another one (RFC 2920 section 3.1).
 */
export class SmtpTransport implements Transport {
  private readonly target: SmtpTarget;
  private readonly pool: ConnectionPool;
  private readonly idle: IdleConnections<PipelinedConnection>;
  /** Why mail that waits for a connection is given up. */
  private unavailable = CLOSED;

  constructor(private readonly options: SmtpTransportOptions) {
    this.target = smtpTarget(options);
    this.pool = {
      slots: new ConnectionSlots(options.maxConnections),
      maxMessages: options.maxMessages ?? MAX_MESSAGES,
      activity: options.activity ?? new Activity(),
      serverLatencyMs: 0,
      said: null,
    };
    this.idle = new IdleConnections(options.keepIdle ?? KEEP_IDLE);
  }

  async handOff(envelope: Envelope, raw: Buffer, fence: () => Promise<boolean>): Promise<HandOffOutcome> {
    const mail = checked(envelope, raw, fence);
    if ('kind' in mail) return mail;
    const { slots, activity } = this.pool;
    const deadline = new Deadline(this.target.timeouts.whole);
    const job: MailJob = { mail, deadline, pipelined: null };
    try {
      const slot = slots.acquire(job, deadline, envelope.lane);
      if (await activity.waiting(recordTask('dispatch', mail.envid), slot)) return await this.overSlot(job);
      const reason = deadline.expired ? 'No connection became free in time.' : this.unavailable;
      return { kind: 'not_sent', reason, unopened: true };
    } finally {
      deadline.cancel();
    }
  }

  largestMail(): number | null {
    const { said } = this.pool;
    return said && performance.now() < said.at + KEEP_SAID ? said.largest : null;
  }

  async close(): Promise<void> {
    this.unavailable = CLOSED;
    await this.pool.slots.close();
    await this.idle.close();
  }

  /** The job holds a slot, or inherits that of the mail it was pipelined behind. */
  private async overSlot(job: MailJob): Promise<HandOffOutcome> {
    const { deadline, pipelined } = job;
    let connection = pipelined?.connection ?? this.idle.take();
    let delivery: Delivery | null = null;
    try {
      if (pipelined) delivery = await pipelined.delivery;
      else if (connection) delivery = await connection.deliver(job);
      if (!connection || !delivery || this.isToRepeat(delivery, deadline)) {
        connection = await PipelinedConnection.open(this.target, deadline, this.pool);
        delivery = await connection.deliver(job);
      }
    } catch (error) {
      if (this.options.mayMove && error instanceof SessionError && error.reply === null) this.dismiss(error.message);
      this.pool.slots.release();
      return notOpened(error);
    }
    if (this.mayLeave(delivery)) this.dismiss(delivery.outcome.reason);
    if (!delivery.slotPassedOn) void this.release(connection);
    return delivery.outcome;
  }

  /** True when a fresh connection may do better. */
  private isToRepeat(delivery: Delivery, deadline: Deadline): boolean {
    return isDeadBefore(delivery) && !deadline.expired && !this.mayLeave(delivery);
  }

  /** True when the server is silent and the mail may go over another one: a fresh connection would only take time. */
  private mayLeave(delivery: Delivery): delivery is SilentDelivery {
    return this.options.mayMove === true && 'silent' in delivery.outcome;
  }

  /** Gives up what waits for a connection, so that it moves on while it may. */
  private dismiss(why: string): void {
    this.unavailable = why;
    this.pool.slots.dismissWaiting();
  }

  private async release(connection: PipelinedConnection): Promise<void> {
    const { slots, activity } = this.pool;
    activity.begin(RELEASE);
    if (await connection.makeReady()) this.idle.put(connection);
    slots.release();
    activity.end(RELEASE);
  }
}

/** The mail with an envelope of exactly one sender and one recipient, or its refusal. */
function checked(
  { from, to, envid }: Envelope,
  raw: Buffer,
  fence: () => Promise<boolean>,
): OutgoingMail | HandOffOutcome {
  const [sender, recipient] = [envelopeAddress(from), envelopeAddress(to)];
  const fault = !sender
    ? `The sender is not a valid address: ${from}`
    : !recipient
      ? `The recipient is not a valid address: ${to}`
      : null;
  if (fault || !sender || !recipient)
    return { kind: 'refused', permanent: true, reply: oneLine(fault ?? ''), unasked: true };
  return { from: sender, to: recipient, envid, raw, fence };
}

/** A reused connection that the server had already closed, noticed before it asked for the mail. */
function isDeadBefore({ outcome, fenceAsked }: Delivery): boolean {
  if (fenceAsked) return false;
  return outcome.kind === 'not_sent' || (outcome.kind === 'refused' && outcome.reply.startsWith('421'));
}

/** No mail was started, so no reply of the server can be about one: always worth another try. */
function notOpened(error: unknown): HandOffOutcome {
  if (!(error instanceof SessionError)) throw error;
  if (error.reply && /^[45]\d\d/.test(error.reply))
    return { kind: 'refused', permanent: false, reply: error.reply, unopened: true };
  return { kind: 'not_sent', reason: error.message, unopened: true };
}
