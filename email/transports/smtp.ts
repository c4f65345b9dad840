import { Activity, recordTask } from '../../lib/activity';
import { Deadline } from './deadline';
import { envelopeAddress } from './envelope-address';
import { Follower, PATIENCE } from './follower';
import { IdleSessions } from './idle-sessions';
import { Slots } from './slots';
import type { Delivery, OutgoingMail, SmtpDelivery } from './smtp-delivery';
import { DEFAULT_TIMEOUTS, smtpTarget, type SmtpTarget, type SmtpTransportOptions } from './smtp-options';
import { oneLine } from './smtp-reply';
import { SessionError, SmtpSession } from './smtp-session';
import type { Envelope, HandOffOutcome, Transport } from './transport';

/** To open a session costs as much CPU as some thirty mails; a server that wants fewer says 421, which costs no mail. */
const MAX_MESSAGES = 500;
const KEEP_IDLE = 20_000;
const RELEASE = 'release of a connection';

/** One hand-off. */
interface Job {
  mail: OutgoingMail;
  deadline: Deadline;
  /** Where it was announced behind another mail before it had a place of its own. */
  announced: { session: SmtpSession; delivery: SmtpDelivery } | null;
  /** Who was announced behind it. */
  follower: Follower | null;
}

/**
 * Hand-off over SMTP (RFC 5321, 2920 pipelining, 3461 DSN) with a pool of connections. Throws a clear error for options
 * that are wrong. A connection that was used before and proves dead before the server asked for the mail is replaced by
 * a fresh one at once, within the same hand-off. While all connections are in use, the mail that has waited longest is
 * announced together with the end of another one (RFC 2920 section 3.1).
 */
export class SmtpTransport implements Transport {
  private readonly target: SmtpTarget;
  private readonly slots: Slots<Job>;
  private readonly idle: IdleSessions;
  private readonly whole: number;
  private readonly maxMessages: number;
  private readonly activity: Activity;
  /** How long the server took to answer for a mail, the last time, ms. */
  private thought = 0;

  constructor(options: SmtpTransportOptions) {
    this.target = smtpTarget(options);
    this.slots = new Slots(options.maxConnections);
    this.idle = new IdleSessions(options.keepIdle ?? KEEP_IDLE);
    this.whole = options.timeouts?.whole ?? DEFAULT_TIMEOUTS.whole;
    this.maxMessages = options.maxMessages ?? MAX_MESSAGES;
    this.activity = options.activity ?? new Activity();
  }

  async handOff(envelope: Envelope, raw: Buffer, fence: () => Promise<boolean>): Promise<HandOffOutcome> {
    const mail = checked(envelope, raw, fence);
    if ('kind' in mail) return mail;
    const deadline = new Deadline(this.whole);
    const job: Job = { mail, deadline, announced: null, follower: null };
    try {
      const slot = this.slots.take(job, deadline);
      if (await this.activity.waiting(recordTask('dispatch', mail.envid), slot)) return await this.overSlot(job);
      return {
        kind: 'not_sent',
        reason: deadline.passed ? 'No connection became free in time.' : 'The transport is closed.',
      };
    } finally {
      deadline.cancel();
    }
  }

  async close(): Promise<void> {
    await this.slots.close();
    await this.idle.close();
  }

  private async overSlot(job: Job): Promise<HandOffOutcome> {
    const { deadline, announced } = job;
    let session = announced?.session ?? this.idle.take();
    let delivery: Delivery | null = null;
    try {
      if (announced) delivery = await announced.delivery.result;
      else if (session) delivery = await this.deliver(session, job);
      if (!session || !delivery || (isDeadBefore(delivery) && !deadline.passed)) {
        session = await SmtpSession.open(this.target, deadline);
        delivery = await this.deliver(session, job);
      }
    } catch (error) {
      this.slots.give();
      return notOpened(error);
    }
    this.thought = delivery.thought ?? this.thought;
    const { follower } = job;
    // A mail that knows the next one keeps it from the young generation's collector, and that one the next, and so on.
    job.follower = null;
    if (!follower?.inherit()) void this.release(session, delivery);
    return delivery.outcome;
  }

  private deliver(session: SmtpSession, job: Job): Promise<Delivery> {
    return session.deliver(job.mail, job.deadline, () => this.callFollower(session, job));
  }

  /** The mail to announce behind the one of the job, over the same session. */
  private callFollower(session: SmtpSession, before: Job): SmtpDelivery | null {
    if (session.used >= this.maxMessages || this.thought > PATIENCE / 2) return null;
    const called = this.slots.callNext(({ mail }) => session.takesBehind(mail));
    if (!called) return null;
    const { asker } = called;
    const delivery = session.prepare(asker.mail, asker.deadline, () => this.callFollower(session, asker));
    asker.announced = { session, delivery };
    before.follower = new Follower(called, delivery, this.activity);
    return delivery;
  }

  private async release(session: SmtpSession, { connection }: Delivery): Promise<void> {
    this.activity.begin(RELEASE);
    const usable = connection === 'ready' || (connection === 'needs_reset' && (await session.reset()));
    if (usable && session.used < this.maxMessages && session.alive) this.idle.put(session);
    else await session.quit();
    this.slots.give();
    this.activity.end(RELEASE);
  }
}

/** The mail with an envelope that names exactly one sender and one recipient, or its refusal. */
function checked(
  { from, to, envid }: Envelope,
  raw: Buffer,
  fence: () => Promise<boolean>,
): OutgoingMail | HandOffOutcome {
  const [sender, recipient] = [envelopeAddress(from), envelopeAddress(to)];
  const fault = !sender
    ? `The sender is no valid address: ${from}`
    : !recipient
      ? `The recipient is no valid address: ${to}`
      : null;
  if (fault || !sender || !recipient) return { kind: 'refused', permanent: true, reply: oneLine(fault ?? '') };
  return { from: sender, to: recipient, envid, raw, fence };
}

/** A connection used before that the server had given up, found out before it asked for the mail. */
function isDeadBefore({ outcome, fenceAsked }: Delivery): boolean {
  if (fenceAsked) return false;
  return outcome.kind === 'not_sent' || (outcome.kind === 'refused' && outcome.reply.startsWith('421'));
}

/** No mail was begun, so nothing a server says here can be about one: always worth another try. */
function notOpened(error: unknown): HandOffOutcome {
  if (!(error instanceof SessionError)) throw error;
  if (error.reply && /^[45]\d\d/.test(error.reply)) return { kind: 'refused', permanent: false, reply: error.reply };
  return { kind: 'not_sent', reason: error.message };
}
