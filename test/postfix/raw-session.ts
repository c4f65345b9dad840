import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An SMTP session that sends exactly the bytes it is given. */
export class RawSession {
  private heard = '';

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.heard += chunk.toString('latin1')));
    socket.on('error', () => socket.destroy());
  }

  static async open(port: number): Promise<RawSession> {
    const session = new RawSession(connect(port, '127.0.0.1'));
    await session.reply();
    return session;
  }

  /** Sends commands one by one; resolves with the last reply. */
  async say(...commands: readonly string[]): Promise<string> {
    let last = '';
    for (const command of commands) last = await this.send(`${command}\r\n`);
    return last;
  }

  /** Sends bytes as they are; resolves with the next reply. */
  send(bytes: string): Promise<string> {
    this.heard = '';
    this.socket.write(bytes, 'latin1');
    return this.reply();
  }

  close(): void {
    this.socket.destroy();
  }

  private async reply(): Promise<string> {
    for (;;) {
      const last = /^\d{3} .*\r\n/m.exec(this.heard)?.[0];
      if (last !== undefined) return last.trim();
      if (this.socket.destroyed) return '';
      await once(this.socket, 'data');
    }
  }
}
