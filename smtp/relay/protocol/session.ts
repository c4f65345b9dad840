import { carryOut } from './commands';
import { DataReader } from './data-reader';
import { transactionOf, type Dialogue, type Outcome } from './dialogue';
import { GrowingBuffer } from './growing-buffer';
import * as limits from './limits';
import { LineReader, type Line } from './line-reader';
import type { Peer, Reply, SubmissionPolicy } from './policy';
import { GOODBYES, REPLIES, reply } from './reply';
import { decodeUtf8 } from './sasl';

/** What the connection is to do next. */
export type Action<L> =
  | { do: 'send'; reply: Reply }
  /** Nothing else may happen until it has settled. `isMail`: it is the mail after its final dot. */
  | { do: 'ask'; ask: (policy: SubmissionPolicy<L>) => Promise<void>; isMail: boolean }
  /** Go on once there is memory for so many bytes. */
  | { do: 'reserve'; bytes: number }
  /** The memory is free again. */
  | { do: 'release' }
  /** Another session follows, under TLS. */
  | { do: 'startTls' }
  | { do: 'close' };

/** What the session waits for. `broken data`: the end of a mail that is refused for its line ends. */
export type Waiting = 'command' | 'data' | 'broken data';

export interface SessionSettings {
  hostname: string;
  peer: Peer;
  secure: boolean;
}

/** A mail from 354 to its end. */
interface ReceivedMail {
  content: GrowingBuffer;
  reader: DataReader;
  /** Octets that it may have. */
  most: number;
  /** For all of it, asked for once it turns out to be no small one. */
  memory: 'none' | 'asked' | 'reserved';
}

/** Codes that count as errors of the client: what a refused mail leads to is none. */
const ERRORS = new Set([500, 501, 502, 503, 504, 530, 538, 555]);
/** Octets of a line that hold its command. */
const HEAD = 10;

/**
 * A submission session (RFC 6409) as a state machine: bytes go in by `push`, what to do comes out of `next`. It touches
 * no socket and no clock, and its course depends on the bytes alone, not on how they were split.
 */
export class Session<L> {
  private readonly lines = new LineReader(limits.AUTH_LINE - 2);
  private readonly dialogue: Dialogue<L>;
  private actions: Action<L>[] = [];
  private input: Buffer = Buffer.alloc(0);
  private read = 0;
  private mail: ReceivedMail | null = null;
  private errors = 0;
  private isOver = false;

  constructor(private readonly settings: SessionSettings) {
    const { peer, secure } = settings;
    const nothing = { greeted: false, login: null, mail: null, exchange: null, loginFailures: 0, refusedRecipients: 0 };
    this.dialogue = { peer, secure, ...nothing };
  }

  get waitsFor(): Waiting {
    if (!this.mail) return 'command';
    return this.mail.reader.fault === 'broken' ? 'broken data' : 'data';
  }

  /** What AUTH answered; null before. */
  get login(): Dialogue<L>['login'] {
    return this.dialogue.login;
  }

  /** Greets the client. A session that follows STARTTLS has no greeting. */
  greet(): void {
    this.actions.push({ do: 'send', reply: reply(220, null, `${this.settings.hostname} ESMTP`) });
  }

  /** Takes bytes; only when `next` has answered null, so that never more than one chunk waits. */
  push(bytes: Buffer): void {
    this.input = bytes;
    this.read = 0;
  }

  /** The next thing to do, in order; null: more bytes are needed. */
  next(): Action<L> | null {
    for (;;) {
      const action = this.actions.shift();
      if (action) return action;
      if (this.isOver) return { do: 'close' };
      if (this.read >= this.input.length) return null;
      if (this.mail) this.readData();
      else this.readCommand();
    }
  }

  /** Sends a last reply, behind those that are due, and closes. What was read and not yet answered is dropped. */
  end(last: Reply): void {
    if (this.isOver) return;
    const due = this.actions.filter((action) => action.do === 'send');
    this.actions = [...due, { do: 'send', reply: last }, { do: 'release' }];
    this.mail = null;
    this.isOver = true;
  }

  /** Nothing came for too long. */
  timedOut(): void {
    this.end(this.waitsFor === 'broken data' ? REPLIES.badMail : GOODBYES.late);
  }

  private readCommand(): void {
    const { next, line } = this.lines.read(this.input, this.read);
    this.read = next;
    if (line === 'broken') return this.end(REPLIES.badLine);
    if (line !== null) this.apply(this.takeLine(line));
  }

  private takeLine({ bytes, long }: Line): Outcome<L> {
    const { dialogue } = this;
    const { exchange } = dialogue;
    const head = bytes.toString('latin1', 0, HEAD);
    if (exchange || /^AUTH /i.test(head)) {
      if (long) dialogue.exchange = null;
      if (long) return { reply: REPLIES.authTooLong };
      if (exchange) return exchange(bytes.toString('latin1'));
    }
    const most = /^MAIL /i.test(head) ? limits.MAIL_LINE : limits.COMMAND_LINE;
    if (!/^AUTH /i.test(head) && bytes.length + 2 > most) return { reply: REPLIES.lineTooLong };
    const text = decodeUtf8(bytes);
    if (text !== null) return carryOut(dialogue, text, this.settings.hostname);
    const isAddress = /^(MAIL FROM|RCPT TO):/i.test(head);
    return { reply: isAddress && dialogue.login ? REPLIES.notAscii : REPLIES.badCharacters };
  }

  private apply(outcome: Outcome<L>): void {
    if ('ask' in outcome) {
      const ask = async (policy: SubmissionPolicy<L>): Promise<void> => this.answer(await outcome.ask(policy));
      this.actions.push({ do: 'ask', ask, isMail: false });
      return;
    }
    const { reply: own, then } = outcome;
    if (then === 'startTls' && this.read < this.input.length) return this.end(REPLIES.behindStartTls);
    if (then === 'close') return this.end(own);
    this.actions.push({ do: 'send', reply: own });
    if (then === 'startTls') this.actions.push({ do: 'startTls' });
    if (then === 'data') this.beginData();
    if (ERRORS.has(own.code)) this.errors += 1;
    this.endWhenTooBad();
  }

  /** The policy's reply to the last question. */
  private answer(given: Reply): void {
    if (this.isOver) return;
    if (given.code === 421) return this.end(given);
    this.actions.push({ do: 'send', reply: given });
    this.endWhenTooBad();
  }

  /** The reply to a question that the policy could not answer. */
  failed(): void {
    if (!this.isOver) this.actions.push({ do: 'send', reply: REPLIES.failed });
  }

  private endWhenTooBad(): void {
    const goodbye = this.goodbye();
    if (!goodbye) return;
    this.actions.push({ do: 'send', reply: goodbye });
    this.isOver = true;
  }

  /** The reply that ends it when there was too much of something, else null. */
  private goodbye(): Reply | null {
    const { loginFailures, refusedRecipients } = this.dialogue;
    if (loginFailures >= limits.MAX_LOGIN_FAILURES) return GOODBYES.tooManyFailures;
    if (refusedRecipients >= limits.MAX_REFUSED_RECIPIENTS) return GOODBYES.tooManyRefused;
    return this.errors >= limits.MAX_ERRORS ? GOODBYES.tooManyErrors : null;
  }

  private mailTaken(): void {
    this.errors = 0;
    this.dialogue.refusedRecipients = 0;
  }

  private beginData(): void {
    const declared = this.dialogue.mail?.sender.size ?? 0;
    // A declared size may leave out the CR of each line, so the mail may be twice as long.
    const most = declared === 0 ? limits.MAX_MAIL : Math.min(limits.MAX_MAIL, 2 * declared + limits.SMALL_MAIL);
    const content = new GrowingBuffer(limits.SMALL_MAIL);
    const reader = new DataReader(content, { most, longest: limits.MAIL_TEXT_LINE });
    this.mail = { content, reader, most, memory: 'none' };
  }

  private readData(): void {
    const { mail, input, read } = this;
    if (!mail) return;
    const { content, reader, most } = mail;
    if (mail.memory === 'none' && content.length + input.length - read > limits.SMALL_MAIL && reader.fault === null) {
      mail.memory = 'asked';
      this.actions.push({ do: 'reserve', bytes: most });
      return;
    }
    if (mail.memory === 'asked') {
      mail.memory = 'reserved';
      content.reserve(most);
    }
    const { next, ended } = reader.read(input, read);
    this.read = next;
    if (ended) this.endData(content.take(), reader.fault);
    else if (reader.octets > limits.HOPELESS_MAIL) this.end(GOODBYES.tooMuch);
  }

  private endData(content: Buffer, fault: DataReader['fault']): void {
    const transaction = transactionOf(this.dialogue);
    this.dialogue.mail = null;
    this.mail = null;
    if (fault === 'broken') return this.end(REPLIES.badMail);
    if (fault !== null || !transaction) {
      const refusal = fault === 'large' ? REPLIES.tooLarge : REPLIES.longLines;
      this.actions.push({ do: 'release' }, { do: 'send', reply: refusal });
      return;
    }
    const ask = async (policy: SubmissionPolicy<L>): Promise<void> => {
      const given = await policy.mail(transaction, content);
      if (given.code < 300) this.mailTaken();
      this.answer(given);
    };
    this.actions.push({ do: 'ask', ask, isMail: true }, { do: 'release' });
  }
}
