import { connect, type Socket } from 'node:net';
import { utf8 } from './report-mail';

export interface Reply {
  code: number;
  /** Without the code; the lines of a long reply joined by spaces. */
  text: string;
}

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** Time without a byte, in real time, ms: a network timeout. */
const TIMEOUT = 30_000;
const MAX_REPLY = 64 * 1024;

/**
 * One SMTP connection that sends mail after mail. MAIL, RCPT and DATA go out together if the server allows it (RFC
 * 2920), since there may be thousands of reports.
 */
export class SmtpSender {
  private readonly waiting: Waiting[] = [];
  private received = '';
  private lines: string[] = [];
  private features = '';
  private failure: Error | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly hostname: string,
  ) {
    socket.setEncoding('latin1').setNoDelay(true).setTimeout(TIMEOUT);
    socket.on('data', (text: string) => this.read(text));
    socket.on('timeout', () => socket.destroy(new Error('The listener did not answer in time.')));
    socket.on('error', (error) => this.fail(error));
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.fail(new Error('The listener closed the connection.')));
  }

  /** Connects and greets; rejects when that fails. The signal closes the connection at any time. */
  static async open(
    target: { host: string; port: number },
    hostname: string,
    signal: AbortSignal,
  ): Promise<SmtpSender> {
    const sender = new SmtpSender(connect({ ...target, signal }), hostname);
    try {
      await sender.greet();
      return sender;
    } catch (error) {
      sender.close();
      throw error;
    }
  }

  get usable(): boolean {
    return this.failure === null;
  }

  /**
   * Sends one mail from the null sender. Resolves with the decisive reply; rejects when the connection broke. `mail` is
   * one character per byte with CRLF line ends.
   */
  async send(to: string, mail: string): Promise<Reply> {
    const parameters = this.parameters(to, mail);
    const replies = await this.commands([`MAIL FROM:<>${parameters}`, `RCPT TO:<${utf8(to)}>`, 'DATA']);
    const data = replies[2];
    const refused = replies.slice(0, 2).find(({ code }) => code >= 400);
    if (data?.code !== 354) {
      await this.commands(['RSET']);
      return refused ?? data ?? { code: 451, text: 'No answer' };
    }
    const body = refused ? '' : mail.replace(/^\./gm, '..');
    const [reply] = await this.commands([`${body}${body && !body.endsWith('\r\n') ? '\r\n' : ''}.`]);
    return refused ?? reply ?? { code: 451, text: 'No answer' };
  }

  /** Sends QUIT without waiting for the answer. */
  close(): void {
    if (this.usable) this.socket.end('QUIT\r\n');
    this.socket.setTimeout(1_000);
  }

  private async greet(): Promise<void> {
    const greeting = await this.reply();
    if (greeting.code !== 220) throw new Error(`The listener answered ${greeting.code} ${greeting.text}`);
    const [hello] = await this.commands([`EHLO ${this.hostname}`]);
    if (hello?.code !== 250) throw new Error(`The listener answered EHLO with ${hello?.code} ${hello?.text}`);
    this.features = hello.text.toUpperCase();
  }

  private parameters(to: string, mail: string): string {
    const eightBit = /[\x80-\xff]/.test(mail) && this.features.includes('8BITMIME') ? ' BODY=8BITMIME' : '';
    return /[^\x20-\x7e]/.test(to) && this.features.includes('SMTPUTF8') ? `${eightBit} SMTPUTF8` : eightBit;
  }

  private async commands(commands: readonly string[]): Promise<Reply[]> {
    if (this.features.includes('PIPELINING')) {
      const replies = commands.map(() => this.reply());
      this.socket.write(`${commands.join('\r\n')}\r\n`, 'latin1');
      return Promise.all(replies);
    }
    const replies: Reply[] = [];
    for (const command of commands) {
      const reply = this.reply();
      this.socket.write(`${command}\r\n`, 'latin1');
      replies.push(await reply);
    }
    return replies;
  }

  private reply(): Promise<Reply> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private read(text: string): void {
    this.received += text;
    if (this.received.length > MAX_REPLY) return void this.socket.destroy(new Error('The reply does not end.'));
    const lines = this.received.split(/\r?\n/);
    this.received = lines.pop() ?? '';
    for (const line of lines) {
      this.lines.push(line.slice(4));
      if (!/^\d{3}(?: |$)/.test(line)) continue;
      this.waiting.shift()?.resolve({ code: Number(line.slice(0, 3)), text: this.lines.join(' ') });
      this.lines = [];
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }
}
