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
    if (this.refusal) return this.refuse(this.refusal, 'closed');
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
    // no server means that: an answer too many has come before, and perhaps none so far was about this mail
    if (reply.startsWith('2'))
      return this.settle(notSent(`The server answered DATA with: ${replyText(reply)}`), 'closed');
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
    const follower = this.complete ? this.next() : null;
    const piece = stuffed(raw, start, this.given, follower?.announce());
    this.wire.writeBytes(piece, () => this.sendBody());
  }

  /** The answer to the mail, which a server may give before it has all of it. */
  private onAnswer(reply: string, refusal: Refusal | null): void {
    const inStep = this.complete && this.wire.flushed && !reply.startsWith('421');
    if (refusal) return this.refuse(refusal, inStep ? 'ready' : 'closed');
    if (!reply.startsWith('2')) return this.unexpected(reply);
    if (this.complete) return this.settle({ kind: 'sent', reply: replyText(reply) }, 'ready');
    const kind = this.given > 0 ? 'unknown' : 'not_sent';
    this.settle({ kind, reason: `The server answered before the mail was sent: ${replyText(reply)}` }, 'closed');
  }

  private unexpected(reply: string): void {
    this.onBroken(`The server answered ${this.step} with: ${replyText(reply)}`);
  }

  private refuse(refusal: Refusal, next: Delivery['connection']): void {
    this.settle({ kind: 'refused', ...refusal }, next);
  }

  private settle(outcome: HandOffOutcome, next: Delivery['connection']): void {
    if (this.settled) return;
    this.settled = { outcome, fenceAsked: this.fence !== 'unasked', connection: next };
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
