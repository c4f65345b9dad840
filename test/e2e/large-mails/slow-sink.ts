import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { sleep } from '../../../lib/sleep';

/** How the server takes mails: at a rate for each connection, bytes per second, or not at all: DATA is not answered. */
export type SinkPace = number | 'stalled';

/** What arrived since the start. */
export interface SlowCount {
  /** Different mails that arrived whole. */
  mails: number;
  duplicates: number;
  /** The most mails that were being received at the same time. */
  mostAtOnce: number;
}

const END_OF_DATA = '\r\n.\r\n';
const EHLO = '250-slow\r\n250-PIPELINING\r\n250-DSN\r\n250 SIZE 52428800\r\n';
/** Enough for the headers of a mail. */
const HEAD_BYTES = 16_384;

/** A sending server that reads slowly and keeps nothing of a mail but its X-Message-id. */
export class SlowSink {
  pace: SinkPace = 'stalled';
  private readonly server: Server = createServer((socket) => void new SlowSession(socket, this));
  private readonly seen = new Set<string>();
  private readonly counted: SlowCount = { mails: 0, duplicates: 0, mostAtOnce: 0 };
  private receiving = 0;

  /** Listens on 127.0.0.1 and returns the port. */
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
  }

  count(): SlowCount {
    return { ...this.counted };
  }

  begin(): void {
    this.receiving += 1;
    this.counted.mostAtOnce = Math.max(this.counted.mostAtOnce, this.receiving);
  }

  /** The end of a mail, or of its connection before that (null). */
  end(head: string | null): void {
    this.receiving -= 1;
    if (head === null) return;
    const id = /^x-message-id:\s*(\S+)/im.exec(head)?.[1] ?? `none-${this.counted.mails}`;
    if (this.seen.has(id)) this.counted.duplicates += 1;
    this.seen.add(id);
    this.counted.mails = this.seen.size;
  }
}

/** One connection. Bytes are handled in order, with a pause after each chunk of a mail. */
class SlowSession {
  private commands = '';
  private mail: { head: string; tail: string } | null = null;

  constructor(
    private readonly socket: Socket,
    private readonly sink: SlowSink,
  ) {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.mail) sink.end(null);
      this.mail = null;
    });
    socket.write('220 slow ESMTP\r\n');
    void this.read();
  }

  private async read(): Promise<void> {
    try {
      for await (const chunk of this.socket) await this.take(chunk as Buffer);
    } catch {
      // The connection broke; the other side notices by itself.
    }
  }

  private async take(chunk: Buffer): Promise<void> {
    if (this.mail) return this.takeMail(chunk);
    this.commands += chunk.toString('latin1');
    for (let end = this.commands.indexOf('\r\n'); end >= 0; end = this.commands.indexOf('\r\n')) {
      const command = this.commands.slice(0, end).toUpperCase();
      this.commands = this.commands.slice(end + 2);
      if (command === 'DATA') await this.startMail();
      else this.socket.write(command.startsWith('EHLO') ? EHLO : command === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    }
  }

  private async startMail(): Promise<void> {
    while (this.sink.pace === 'stalled' && !this.socket.destroyed) await sleep(100);
    if (this.socket.destroyed) return;
    this.mail = { head: '', tail: '' };
    this.sink.begin();
    this.socket.write('354 go ahead\r\n');
  }

  private async takeMail(chunk: Buffer): Promise<void> {
    const mail = this.mail!;
    if (mail.head.length < HEAD_BYTES) mail.head += chunk.toString('latin1', 0, HEAD_BYTES);
    const seam = mail.tail + chunk.toString('latin1', 0, END_OF_DATA.length);
    const seamEnd = seam.indexOf(END_OF_DATA);
    const end =
      seamEnd >= 0 ? seamEnd + END_OF_DATA.length - mail.tail.length : endIn(chunk.indexOf(END_OF_DATA, 0, 'latin1'));
    mail.tail = (mail.tail + chunk.toString('latin1', Math.max(0, chunk.length - END_OF_DATA.length))).slice(-4);
    if (typeof this.sink.pace === 'number') await sleep((chunk.length * 1_000) / this.sink.pace);
    if (end < 0 || !this.mail) return;
    this.mail = null;
    this.sink.end(mail.head);
    this.socket.write('250 2.0.0 taken\r\n');
    if (end < chunk.length) await this.take(chunk.subarray(end));
  }
}

const endIn = (at: number): number => (at < 0 ? -1 : at + END_OF_DATA.length);
