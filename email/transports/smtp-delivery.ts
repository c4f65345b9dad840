import type { Deadline } from './deadline';
import { mailCommand, rcptCommand, type MailToAnnounce } from './smtp-commands';
import type { SmtpExtensions } from './smtp-extensions';
import { oneLine, refusalOf, replyText, type Refusal } from './smtp-reply';
import type { SmtpWire, WireUser } from './smtp-wire';
import { stuffed } from './stuffed';
import type { HandOffOutcome } from './transport';

/** Small against what a kernel takes, so that the end of a large mail is not given away long before it can be sent. */
const CHUNK = 64 * 1024;

/** One mail with an envelope that has been checked. */
export interface OutgoingMail extends MailToAnnounce {
  fence: () => Promise<boolean>;
}

/** How a mail fared on one connection. */
export interface Delivery {
  outcome: HandOffOutcome;
  /** False: the server never asked for the mail, so nothing stands against trying another connection. */
  fenceAsked: boolean;
  /** What the connection may be used for next: another mail, another mail after RSET, or nothing: it is closed. */
  connection: 'ready' | 'needs_reset' | 'closed';
  /** From the end of the mail to the server's answer, ms; null when there was none. */
  thought: number | null;
}

/** Whose connection a mail goes over. */
interface Line {
  wire: SmtpWire;
  offers: SmtpExtensions;
}

/** The mail to announce behind the end of another one, or null. Asked once at most, when that end is sent. */
export type NextMail = () => SmtpDelivery | null;

/**
 * Sends one mail over an open session. To a server that offers PIPELINING (RFC 2920) MAIL, RCPT and DATA go in one write, and
 * where a mail is to follow its commands go with the end of the one before. The outcome is judged by what was given to the
 * connection while it was alive (DESIGN 3.5).
 */
export class SmtpDelivery implements WireUser {
  /** How it ends; never rejects. */
  readonly result: Promise<Delivery>;
  private resolve!: (delivery: Delivery) => void;
  private step: 'MAIL' | 'RCPT' | 'DATA' | 'the mail' = 'MAIL';
  /** The first no to MAIL or RCPT; under pipelining the answer to DATA comes behind it. */
  private refusal: Refusal | null = null;
  private fence: 'unasked' | 'asked' | 'answered' = 'unasked';
  /** Bytes of the mail given to the connection. */
  private given = 0;
  /** False as long as the server cannot have the whole mail. */
  private complete = false;
  private settled: Delivery | null = null;
  private behind = false;
  private announced = false;
  /** When the end of the mail was given to the connection, by the monotonic clock, ms. */
  private endedAt = 0;
  private thought: number | null = null;
  private readonly wire: SmtpWire;
  private readonly offers: SmtpExtensions;

  constructor(
    { wire, offers }: Line,
    private readonly mail: OutgoingMail,
    private readonly deadline: Deadline,
    private readonly next: NextMail,
  ) {
    this.wire = wire;
    this.offers = offers;
    this.result = new Promise((resolve) => (this.resolve = resolve));
  }

  /** Begins on a connection that nobody uses. */
  start(): void {
    this.wire.use(this);
    if (this.settled) return;
    if (!this.wire.alive) return this.onBroken('The connection had ended.');
    this.send(this.firstCommands());
  }

  /** Begins behind a mail that is ending: what has to be sent with its end. */
  announce(): string {
    this.behind = true;
    this.announced = true;
    this.wire.follow(this);
    return lines(this.firstCommands());
  }

  get follows(): boolean {
    return this.behind;
  }

  /** Leaves while it follows; `result` stays open. */
  withdraw(): void {
    this.wire.withdraw();
  }

  onTurn(): void {
    this.behind = false;
    this.deadline.whenPassed(() => this.onBroken('The hand-off took too long.'));
  }

  onReply(reply: string): void {
    const refusal = refusalOf(reply);
    if (this.step === 'the mail') return this.onAnswer(reply, refusal);
    if (this.announced && this.isForAnother(reply, refusal)) return this.outOfStep(reply);
    this.refusal ??= refusal;
    // the server closes the connection, whatever it was asked (RFC 5321 section 4.2.1)
    if (this.refusal && reply.startsWith('421')) return this.refuse(this.refusal, 'closed');
    if (this.step === 'DATA') return this.onDataReply(reply, refusal);
    if (!refusal && !reply.startsWith('2')) return this.unexpected(reply);
    if (this.refusal && !this.offers.pipelining) return this.refuse(this.refusal, 'needs_reset');
    this.step = this.step === 'MAIL' ? 'RCPT' : 'DATA';
    if (!this.offers.pipelining) this.send([this.step === 'RCPT' ? rcptCommand(this.mail, this.offers) : 'DATA']);
  }

  onBroken(reason: string): void {
    // behind another mail a no before the end may have been meant for that one, or for the session
    if (this.refusal && !this.announced) return this.refuse(this.refusal, 'closed');
    this.settle(this.complete ? { kind: 'unknown', reason: oneLine(reason) } : notSent(reason), 'closed');
  }

  private firstCommands(): string[] {
    const mail = mailCommand(this.mail, this.offers);
    return this.offers.pipelining ? [mail, rcptCommand(this.mail, this.offers), 'DATA'] : [mail];
  }

  private send(commands: string[]): void {
    this.wire.write(lines(commands));
  }

  private onDataReply(reply: string, refusal: Refusal | null): void {
    if (reply.startsWith('2')) return this.outOfStep(reply);
    // a server that asks for a mail without a recipient (RFC 2920 section 3.1) holds none if it is left without one
    if (this.refusal) return this.refuse(this.refusal, refusal ? 'needs_reset' : 'closed');
    if (!reply.startsWith('3')) return this.unexpected(reply);
    this.step = 'the mail';
    void this.passFence();
  }

  private async passFence(): Promise<void> {
    this.fence = 'asked';
    const refused = await ask(this.mail.fence);
    this.fence = 'answered';
    const fencedOut: HandOffOutcome | null = refused === null ? null : { kind: 'fenced_out', reason: refused };
    // no outcome is told while the fence is asked, and the fence has the last word
    if (this.settled) return this.resolve(fencedOut ? { ...this.settled, outcome: fencedOut } : this.settled);
    if (fencedOut) return this.settle(fencedOut, 'closed');
    this.sendBody();
  }

  /** Gives the next piece away, and the one after it when the kernel has taken this one. */
  private sendBody(): void {
    if (this.settled || this.complete) return;
    if (!this.wire.alive) return this.onBroken('The connection ended before the mail was sent.');
    const { raw } = this.mail;
    const start = this.given;
    this.given = Math.min(start + CHUNK, raw.length);
    this.complete = this.given === raw.length;
    if (this.complete) this.endedAt = performance.now();
    const follower = this.complete ? this.next() : null;
    const piece = stuffed(raw, start, this.given, follower?.announce());
    this.wire.writeBytes(piece, () => this.sendBody());
  }

  /** The answer to the mail, which a server may give before it has all of it. */
  private onAnswer(reply: string, refusal: Refusal | null): void {
    if (this.complete) this.thought = performance.now() - this.endedAt;
    const inStep = this.complete && this.wire.flushed && !reply.startsWith('421');
    if (refusal) return this.refuse(refusal, inStep ? 'ready' : 'closed');
    if (!reply.startsWith('2')) return this.unexpected(reply);
    if (this.complete) return this.settle({ kind: 'sent', reply: replyText(reply) }, 'ready');
    const kind = this.given > 0 ? 'unknown' : 'not_sent';
    this.settle({ kind, reason: `The server answered before the mail was sent: ${replyText(reply)}` }, 'closed');
  }

  /** The session ends, or a recipient is taken after the sender was refused: an answer was perhaps not about this mail. */
  private isForAnother(reply: string, refusal: Refusal | null): boolean {
    return reply.startsWith('421') || (this.step === 'RCPT' && this.refusal !== null && refusal === null);
  }

  /** An answer too many came before, or the session ends: perhaps nothing that was said so far was about this mail. */
  private outOfStep(reply: string): void {
    this.settle(notSent(`The server answered ${this.step} with: ${replyText(reply)}`), 'closed');
  }

  private unexpected(reply: string): void {
    this.onBroken(`The server answered ${this.step} with: ${replyText(reply)}`);
  }

  private refuse(refusal: Refusal, next: Delivery['connection']): void {
    this.settle({ kind: 'refused', ...refusal }, next);
  }

  private settle(outcome: HandOffOutcome, next: Delivery['connection']): void {
    if (this.settled) return;
    this.settled = { outcome, fenceAsked: this.fence !== 'unasked', connection: next, thought: this.thought };
    this.deadline.whenPassed(null);
    if (next === 'closed') this.wire.close();
    else this.wire.done();
    if (this.fence !== 'asked') this.resolve(this.settled);
  }
}

const lines = (commands: readonly string[]): string => `${commands.join('\r\n')}\r\n`;

const notSent = (reason: string): HandOffOutcome => ({ kind: 'not_sent', reason: oneLine(reason) });

async function ask(fence: () => Promise<boolean>): Promise<string | null> {
  try {
    return (await fence()) === true ? null : 'The fence refused the hand-off.';
  } catch (error) {
    return oneLine(`The fence failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
