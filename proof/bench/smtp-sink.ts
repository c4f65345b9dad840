import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { sleep } from '../../lib/sleep';
import { monotonic } from './time';

const CAPABILITIES = ['sink', 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'DSN', 'ENHANCEDSTATUSCODES', 'SIZE 52428800'];
const EHLO = CAPABILITIES.map((line, i) => `250${i < CAPABILITIES.length - 1 ? '-' : ' '}${line}\r\n`).join('');
const END_OF_DATA = '\r\n.\r\n';

interface Waiter {
  count: number;
  reached(at: number): void;
}

/** Counts since the last reset. */
export interface SinkCount {
  mails: number;
  /** Mails whose X-Message-id was seen before. */
  duplicates: number;
  /** Mails without a DKIM-Signature. */
  unsigned: number;
  /** Size of all mails, without the final dot. */
  bytes: number;
}

/** The envelope of a mail. */
export interface Envelope {
  sender: string;
  recipient: string;
}

/** Accepts every mail, stores none, and counts them by X-Message-id. */
export class SmtpSink {
  /** Delay of the answer to a mail, ms; 0 = at once. */
  answerAfter = 0;
  /** Answers a recipient with a refusal, such as `451 4.7.1 Later`; null takes the mail. */
  refuse: ((recipient: string) => string | null) | null = null;
  private readonly server: Server = createServer((socket) => this.serve(socket));
  /** The monotonic time of the first arrival, by X-Message-id. */
  private seen = new Map<string, number>();
  private taken: Envelope[] = [];
  private counted: SinkCount = { mails: 0, duplicates: 0, unsigned: 0, bytes: 0 };
  private waiters: Waiter[] = [];

  /** Listens on 127.0.0.1 and returns the port. */
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
  }

  reset(): void {
    this.seen = new Map();
    this.taken = [];
    this.counted = { mails: 0, duplicates: 0, unsigned: 0, bytes: 0 };
  }

  /** Called with the monotonic time of the answer. */
  count(): SinkCount & { at: number } {
    return { ...this.counted, at: monotonic() };
  }

  /** Those of these mails that have arrived, and when. */
  arrivals(ids: readonly string[]): [string, number][] {
    return ids.flatMap((id): [string, number][] => {
      const at = this.seen.get(id);
      return at === undefined ? [] : [[id, at]];
    });
  }

  /** The envelopes of all mails, each with one recipient. */
  envelopes(): readonly Envelope[] {
    return this.taken;
  }

  /** Resolves with the monotonic time at which this many different mails had arrived. */
  waitFor(count: number): Promise<number> {
    return new Promise((resolve) => {
      this.waiters.push({ count, reached: resolve });
      this.wake();
    });
  }

  private serve(socket: Socket): void {
    let pending = Buffer.alloc(0);
    let inData = false;
    let envelope = NOBODY;
    let earlier = Promise.resolve();
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.write('220 sink ESMTP\r\n');
    socket.on('data', (chunk) => {
      pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
      let replies = '';
      let mails = 0;
      for (;;) {
        const mark = inData ? END_OF_DATA : '\r\n';
        const end = pending.indexOf(mark, 0, 'latin1');
        if (end < 0) break;
        const part = pending.subarray(0, end);
        pending = pending.subarray(end + mark.length);
        mails += inData ? 1 : 0;
        if (inData) replies += this.take(part, envelope);
        else {
          const command = part.toString('latin1');
          envelope = extend(envelope, command);
          const verb = command.slice(0, 4).toUpperCase();
          const refusal = verb === 'RCPT' ? this.refuse?.(envelope.recipient) : null;
          if (refusal) envelope = { ...envelope, recipient: '' };
          const isEmpty = verb === 'DATA' && envelope.recipient === '';
          replies += refusal ? `${refusal}\r\n` : isEmpty ? NO_RECIPIENT : reply(verb);
        }
        inData = !inData && replies.endsWith(START_DATA);
      }
      if (!this.answerAfter) return answer(socket, replies);
      const wait = mails * this.answerAfter;
      earlier = earlier.then(() => (wait > 0 ? sleep(wait) : undefined)).then(() => answer(socket, replies));
    });
  }

  private take(mail: Buffer, envelope: Envelope): string {
    this.taken.push(envelope);
    const end = mail.indexOf('\r\n\r\n');
    const head = mail.toString('latin1', 0, end < 0 ? mail.length : end);
    const id = /^x-message-id:\s*(\S+)/im.exec(head)?.[1] ?? `none-${this.counted.mails}`;
    this.counted.mails += 1;
    this.counted.bytes += mail.length;
    if (this.seen.has(id)) this.counted.duplicates += 1;
    else this.seen.set(id, monotonic());
    if (!/^dkim-signature:/im.test(head)) this.counted.unsigned += 1;
    this.wake();
    return '250 2.0.0 taken\r\n';
  }

  private wake(): void {
    const reached = this.waiters.filter(({ count }) => this.seen.size >= count);
    if (reached.length === 0) return;
    this.waiters = this.waiters.filter((waiter) => !reached.includes(waiter));
    for (const waiter of reached) waiter.reached(monotonic());
  }
}

const START_DATA = '354 go ahead\r\n';
const NO_RECIPIENT = '503 5.5.1 no recipient\r\n';
const GOODBYE = '221 2.0.0 bye\r\n';

const NOBODY: Envelope = { sender: '', recipient: '' };

/** The envelope after one more command. */
function extend(envelope: Envelope, command: string): Envelope {
  const [, verb, address = ''] = /^(MAIL FROM|RCPT TO):<([^>]*)>/i.exec(command) ?? [];
  if (verb === undefined) return envelope;
  return verb.startsWith('R') || verb.startsWith('r')
    ? { ...envelope, recipient: address }
    : { ...NOBODY, sender: address };
}

function answer(socket: Socket, replies: string): void {
  if (socket.destroyed) return;
  if (replies) socket.write(replies);
  if (replies.endsWith(GOODBYE)) socket.end();
}

function reply(verb: string): string {
  if (verb === 'EHLO' || verb === 'HELO') return EHLO;
  if (verb === 'DATA') return START_DATA;
  if (verb === 'QUIT') return GOODBYE;
  return '250 2.0.0 ok\r\n';
}
