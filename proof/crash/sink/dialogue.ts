import type { Socket } from 'node:net';

export interface Envelope {
  from: string;
  to: string;
  envid: string;
  /** The NOTIFY parameter, unchanged. */
  notify: string;
}

/** Decides what the server answers. */
export interface MailHandler {
  /** The reply to RCPT, or null to accept the recipient. */
  recipient(envelope: Envelope): string | null;
  /** Called at the final dot, before any answer. Returns the reply, or null to close the connection without one. */
  mail(envelope: Envelope, source: Buffer): Promise<string | null>;
}

const CAPABILITIES = ['sink', 'PIPELINING', '8BITMIME', 'SMTPUTF8', 'DSN', 'ENHANCEDSTATUSCODES', 'SIZE 52428800'];
const EHLO = CAPABILITIES.map((line, i) => `250${i < CAPABILITIES.length - 1 ? '-' : ' '}${line}\r\n`).join('');
const END_OF_DATA = Buffer.from('\r\n.\r\n');
const parameter = (line: string, name: string): string => new RegExp(`\\b${name}=(\\S+)`, 'i').exec(line)?.[1] ?? '';
const address = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? '';

/** The server side of one SMTP connection (RFC 5321, 2920, 3461), with one recipient per mail. */
export class Dialogue {
  private pending = Buffer.alloc(0);
  private from = '';
  private envid = '';
  private envelope: Envelope | null = null;
  private inData = false;
  private busy = false;

  constructor(
    private readonly socket: Socket,
    private readonly handler: MailHandler,
  ) {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      this.pending = Buffer.concat([this.pending, chunk]);
      void this.pump();
    });
    this.say('220 sink ESMTP');
  }

  /** Handles one piece after the other: a mail is answered before the next command is read. */
  private async pump(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let part = this.next(); part; part = this.next()) {
      if (this.inData) await this.take(part);
      else this.command(part.toString('utf8'));
    }
    this.busy = false;
  }

  private next(): Buffer | null {
    const mark = this.inData ? END_OF_DATA : Buffer.from('\r\n');
    const end = this.pending.indexOf(mark);
    if (end < 0) return null;
    const part = this.pending.subarray(0, end);
    this.pending = this.pending.subarray(end + mark.length);
    return part;
  }

  private command(line: string): void {
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return void this.socket.write(EHLO);
      case 'MAIL':
        this.reset();
        [this.from, this.envid] = [address(line), parameter(line, 'ENVID')];
        return this.say('250 2.1.0 ok');
      case 'RCPT':
        return this.recipient({
          from: this.from,
          envid: this.envid,
          to: address(line),
          notify: parameter(line, 'NOTIFY'),
        });
      case 'DATA':
        this.inData = this.envelope !== null;
        return this.say(this.inData ? '354 go ahead' : '503 5.5.1 no recipient');
      case 'QUIT':
        this.say('221 2.0.0 bye');
        return void this.socket.end();
      default:
        this.reset();
        return this.say('250 2.0.0 ok');
    }
  }

  private recipient(envelope: Envelope): void {
    const refusal = this.envelope ? '452 4.5.3 one recipient' : this.handler.recipient(envelope);
    if (refusal === null) this.envelope = envelope;
    this.say(refusal ?? '250 2.1.5 ok');
  }

  private async take(source: Buffer): Promise<void> {
    const envelope = this.envelope;
    this.inData = false;
    this.reset();
    const reply = envelope && (await this.handler.mail(envelope, source));
    if (reply === null) this.socket.destroy();
    else this.say(reply);
  }

  private reset(): void {
    this.envelope = null;
  }

  private say(reply: string): void {
    if (this.socket.writable) this.socket.write(`${reply}\r\n`);
  }
}
