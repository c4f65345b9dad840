import { once } from 'node:events';
import { type TLSSocket, connect } from 'node:tls';

/** A login of the relay, and an address that it may send from. */
export interface RelayLogin {
  username: string;
  password: string;
  from: string;
}

/** The line that ends a reply. */
const LAST_LINE = /^\d{3} .*\r\n/m;
/** After this long without a reply the server counts as dead, ms. */
const SILENCE = 60_000;

/**
 * A client of an SMTP submission server on 127.0.0.1, under TLS from the start and logged in. It sends MAIL, RCPT and
 * DATA together, as PIPELINING allows, and reads only the codes, so that the load leaves the processor to the server.
 */
export class RelayConnection {
  private received = '';
  private readonly replies: string[] = [];
  private wake: () => void = () => undefined;

  private constructor(private readonly socket: TLSSocket) {
    socket.setNoDelay(true);
    socket.setTimeout(SILENCE, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.read(chunk.toString('latin1')));
    socket.on('error', () => socket.destroy()).on('close', () => this.wake());
  }

  /** Throws when the server does not let the login in. */
  static async open(port: number, { username, password }: RelayLogin): Promise<RelayConnection> {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    const connection = new RelayConnection(socket);
    await once(socket, 'secureConnect');
    const login = Buffer.from(`\0${username}\0${password}`).toString('base64');
    const codes = [await connection.reply()];
    for (const command of ['EHLO bench.example', `AUTH PLAIN ${login}`]) {
      socket.write(`${command}\r\n`);
      codes.push(await connection.reply());
    }
    if (codes.join() !== '220,250,235') throw new Error(`The server answered ${codes.join()}.`);
    return connection;
  }

  get alive(): boolean {
    return this.socket.writable;
  }

  /**
   * `mail` with its final dot. Returns the code of the reply to it; of an earlier one if that refuses; '' when none
   * came.
   */
  async send(from: string, to: string, mail: string): Promise<string> {
    this.socket.write(`MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
    const codes = [await this.reply(), await this.reply(), await this.reply()];
    if (codes.join() !== '250,250,354') return codes.find((code) => !/^[23]/.test(code)) ?? '';
    this.socket.write(mail);
    return this.reply();
  }

  close(): void {
    this.socket.destroy();
  }

  /** The code of the next reply; '' when the connection has ended. */
  private async reply(): Promise<string> {
    while (this.replies.length === 0 && !this.socket.destroyed) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.replies.shift() ?? '';
  }

  private read(text: string): void {
    this.received += text;
    for (let found = LAST_LINE.exec(this.received); found; found = LAST_LINE.exec(this.received)) {
      this.replies.push(found[0].slice(0, 3));
      this.received = this.received.slice(found.index + found[0].length);
    }
    if (this.replies.length > 0) this.wake();
  }
}
