import { connect, type Socket } from 'node:net';

const PATIENCE = 10_000;
const REPLY = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/;

/** Opens a connection: without TLS, as in the world, or with it. */
export type Connect = (to: { port: number; host: string }) => Socket;

/** The client's side of one SMTP connection. */
export class RelayDialogue {
  private received = '';
  private isOver = false;
  private wake: () => void = () => undefined;
  private readonly socket: Socket;

  constructor(port: number, open: Connect = connect) {
    this.socket = open({ port, host: '127.0.0.1' });
    const end = (): void => {
      this.isOver = true;
      this.wake();
    };
    this.socket.on('error', end).on('close', end);
    this.socket.on('data', (part: Buffer) => {
      this.received += part.toString('latin1');
      this.wake();
    });
  }

  /** Sends a line and returns all lines of the reply; null if none came. */
  ask(line: string): Promise<string | null> {
    if (!this.isOver) this.socket.write(`${line}\r\n`);
    return this.reply();
  }

  async reply(): Promise<string | null> {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      this.wake();
    }, PATIENCE);
    try {
      for (;;) {
        const found = REPLY.exec(this.received)?.[0];
        if (found !== undefined) {
          this.received = this.received.slice(found.length);
          return found;
        }
        if (this.isOver || late.signal.aborted) return null;
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
