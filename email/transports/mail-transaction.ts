import { dotStuff } from './dot-stuff';
import { mailCommand, rcptCommand, type AddressedMail } from './smtp-commands';
import type { SmtpExtensions } from './smtp-extensions';
import { oneLine, refusalOf, replyText, type Refusal } from './smtp-reply';
import type { SmtpWire, WireReader } from './smtp-wire';
import type { HandOffOutcome } from './transport';

/** Small compared with a kernel's buffer, so that the end of a large mail is not written long before it can be sent. */
const CHUNK = 64 * 1024;

/** One mail with a checked envelope. */
export interface OutgoingMail extends AddressedMail {
  fence: () => Promise<boolean>;
}

/** What a connection can do after a mail: carry another mail, carry another mail after RSET, or nothing. */
export type NextUse = 'mail' | 'reset' | 'nothing';

/** The result of a mail on one connection. */
export interface Delivery {
  outcome: HandOffOutcome;
  /** False: the server never asked for the mail, so another connection may be tried. */
  fenceAsked: boolean;
  /** True: the pipelined successor now holds the slot. */
  slotPassedOn: boolean;
}

/** What a transaction uses of its connection. */
export interface Line {
  readonly wire: SmtpWire;
  readonly offers: SmtpExtensions;
  /** Called at most once, for the write that ends the mail: the commands of the mail pipelined behind it, or ''. */
  successorCommands(): string;
  /**
   * The transaction is over. `serverLatencyMs`: from the end of the mail to the answer, null when there was none.
   * Returns true when the slot of this mail passed to its successor.
   */
  onEnd(next: NextUse, serverLatencyMs: number | null): boolean;
}

/**
 * One mail over an open connection: MAIL, RCPT, DATA, the fence, the bytes, the answer. If the server offers PIPELINING
 * (RFC 2920), the three commands go in one write, and those of the next mail go with the end of this one. The outcome
 * depends on what was written to the connection while it was alive (docs/architecture.md).
 */
export class MailTransaction implements WireReader {
  /** The result; never rejects. */
  readonly result: Promise<Delivery>;
  private resolve!: (delivery: Delivery) => void;
  private step: 'MAIL' | 'RCPT' | 'DATA' | 'the mail' = 'MAIL';
  /** The first refusal of MAIL or RCPT; under pipelining the answer to DATA still follows it. */
  private refusal: Refusal | null = null;
  private fence: 'unasked' | 'asked' | 'answered' = 'unasked';
  /** Bytes of the mail written to the connection. */
  private written = 0;
  /** False as long as the server cannot have the whole mail. */
  private complete = false;
  private settled: Delivery | null = null;
  /** When the end of the mail was written, by the monotonic clock, ms. */
  private endedAt = 0;
  private serverLatencyMs: number | null = null;

  /** `pipelined`: its commands go out behind another mail, so that replies may be about that one. */
  constructor(
    private readonly line: Line,
    private readonly mail: OutgoingMail,
    private readonly pipelined: boolean,
  ) {
    this.result = new Promise((resolve) => (this.resolve = resolve));
  }

  /** Starts on a connection that carries no other mail. */
  start(): void {
    if (this.settled) return;
    if (!this.line.wire.alive) return this.onBroken('The connection had already ended.');
    this.line.wire.write(this.firstCommands());
  }

  /** All commands that can be sent before the first reply, each with its line end. */
  firstCommands(): string {
    const { mail } = this;
    const { offers } = this.line;
    const first = mailCommand(mail, offers);
    return offers.pipelining ? `${first}\r\n${rcptCommand(mail, offers)}\r\nDATA\r\n` : `${first}\r\n`;
  }

  onReply(reply: string): void {
    const refusal = refusalOf(reply);
    if (this.step === 'the mail') return this.onAnswer(reply, refusal);
    if (this.pipelined && this.isForAnother(reply, refusal)) return this.outOfStep(reply);
    this.refusal ??= refusal;
    // 421: the server closes the connection, whatever the command was (RFC 5321 section 4.2.1)
    if (this.refusal && reply.startsWith('421')) return this.refuse(this.refusal, 'nothing');
    if (this.step === 'DATA') return this.onDataReply(reply, refusal);
    if (!refusal && !reply.startsWith('2')) return this.unexpected(reply);
    const { wire, offers } = this.line;
    if (this.refusal && !offers.pipelining) return this.refuse(this.refusal, 'reset');
    this.step = this.step === 'MAIL' ? 'RCPT' : 'DATA';
    if (!offers.pipelining) wire.write(this.step === 'RCPT' ? `${rcptCommand(this.mail, offers)}\r\n` : 'DATA\r\n');
  }

  onBroken(reason: string, isLate = false): void {
    // behind another mail, a refusal just before the end may have been meant for that mail, or for the session
    if (this.refusal && !this.pipelined) return this.refuse(this.refusal, 'nothing');
    const failed = notSent(reason, isLate && this.fence === 'unasked');
    this.settle(this.complete ? { kind: 'unknown', reason: oneLine(reason) } : failed, 'nothing');
  }

  private onDataReply(reply: string, refusal: Refusal | null): void {
    if (reply.startsWith('2')) return this.outOfStep(reply);
    // a server that asks for a mail without a recipient (RFC 2920 section 3.1) has none if none is sent to it
    if (this.refusal) return this.refuse(this.refusal, refusal ? 'reset' : 'nothing');
    if (!reply.startsWith('3')) return this.unexpected(reply);
    this.step = 'the mail';
    void this.passFence();
  }

  private async passFence(): Promise<void> {
    this.fence = 'asked';
    this.line.wire.limitSilence('idle');
    const refused = await ask(this.mail.fence);
    this.fence = 'answered';
    const fencedOut: HandOffOutcome | null = refused === null ? null : { kind: 'fenced_out', reason: refused };
    // while the fence is pending no outcome is returned; the fence decides
    if (this.settled) return this.resolve(fencedOut ? { ...this.settled, outcome: fencedOut } : this.settled);
    if (fencedOut) return this.settle(fencedOut, 'nothing');
    this.sendBody();
  }

  /** Writes the next piece, and continues once the kernel has taken it. */
  private sendBody(): void {
    if (this.settled || this.complete) return;
    const { wire } = this.line;
    if (!wire.alive) return this.onBroken('The connection ended before the mail was sent.');
    const { raw } = this.mail;
    const start = this.written;
    this.written = Math.min(start + CHUNK, raw.length);
    this.complete = this.written === raw.length;
    if (this.complete) this.endedAt = performance.now();
    const piece = dotStuff(raw, start, this.written, this.complete ? this.line.successorCommands() : '');
    wire.writeBytes(piece, () => this.sendBody());
  }

  /** The answer to the mail, which a server may give before it has all of it. */
  private onAnswer(reply: string, refusal: Refusal | null): void {
    if (this.complete) this.serverLatencyMs = performance.now() - this.endedAt;
    const inStep = this.complete && this.line.wire.flushed && !reply.startsWith('421');
    if (refusal) return this.refuse(refusal, inStep ? 'mail' : 'nothing');
    if (!reply.startsWith('2')) return this.unexpected(reply);
    if (this.complete) return this.settle({ kind: 'sent', reply: replyText(reply) }, 'mail');
    const kind = this.written > 0 ? 'unknown' : 'not_sent';
    this.settle({ kind, reason: `The server answered before the mail was sent: ${replyText(reply)}` }, 'nothing');
  }

  /**
   * True if the session ends, or a recipient is accepted after the sender was refused: a reply may have been about
   * another mail.
   */
  private isForAnother(reply: string, refusal: Refusal | null): boolean {
    return reply.startsWith('421') || (this.step === 'RCPT' && this.refusal !== null && refusal === null);
  }

  /** One reply too many came before, or the session ends: possibly no reply so far was about this mail. */
  private outOfStep(reply: string): void {
    this.settle(notSent(`The server answered ${this.step} with: ${replyText(reply)}`), 'nothing');
  }

  private unexpected(reply: string): void {
    this.onBroken(`The server answered ${this.step} with: ${replyText(reply)}`);
  }

  private refuse(refusal: Refusal, next: NextUse): void {
    this.settle({ kind: 'refused', ...refusal }, next);
  }

  private settle(outcome: HandOffOutcome, next: NextUse): void {
    if (this.settled) return;
    const delivery: Delivery = { outcome, fenceAsked: this.fence !== 'unasked', slotPassedOn: false };
    this.settled = delivery;
    delivery.slotPassedOn = this.line.onEnd(next, this.serverLatencyMs);
    if (this.fence !== 'asked') this.resolve(delivery);
  }
}

const notSent = (reason: string, isSilent = false): HandOffOutcome => ({
  kind: 'not_sent',
  reason: oneLine(reason),
  ...(isSilent && { silent: true }),
});

async function ask(fence: () => Promise<boolean>): Promise<string | null> {
  try {
    return (await fence()) === true ? null : 'The fence refused the hand-off.';
  } catch (error) {
    return oneLine(`The fence failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
