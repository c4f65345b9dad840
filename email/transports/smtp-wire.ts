import type { Socket } from 'node:net';
import { ReplyReader } from './reply-reader';

/** Receives the replies on a wire. */
export interface WireReader {
  onReply(reply: string): void;
  /** The wire can no longer be used; it is closed. `isLate`: no reply came in time. Called at most once. */
  onBroken(reason: string, isLate?: boolean): void;
}

/**
 * The open socket of an SMTP connection: bytes out, replies in, for one reader at a time. It breaks on a reply without
 * a reader, on anything that is no reply, on silence, and when the other side ends it.
 */
export class SmtpWire {
  private readonly replies = new ReplyReader();
  private reader: WireReader | null = null;

  /** Takes over the socket: earlier readers receive nothing more. `silence`: how long there may be one, ms. */
  constructor(
    private readonly socket: Socket,
    private readonly silence: Readonly<Record<'asking' | 'idle', number>>,
  ) {
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => this.onData(chunk));
    socket.on('timeout', () => this.break('Timeout: the server has been silent for too long.', true));
    socket.on('error', (error) => this.break(error.message));
    socket.on('end', () => this.break('The server closed the connection.'));
    socket.on('close', () => this.break('The connection ended.'));
  }

  /** True while written bytes can still reach the server. */
  get alive(): boolean {
    return !this.socket.destroyed && this.socket.writable && !this.socket.readableEnded;
  }

  /** True when everything written has been passed to the kernel. */
  get flushed(): boolean {
    return this.socket.writableLength === 0;
  }

  /** From now on replies go to this reader instead of the previous one; null: no reply is expected. */
  read(reader: WireReader | null): void {
    this.reader = reader;
  }

  /** From now on it breaks after this silence. */
  limitSilence(to: 'asking' | 'idle'): void {
    this.socket.setTimeout(this.silence[to]);
  }

  write(commands: string): void {
    this.socket.write(commands);
  }

  /** `taken` is called when the kernel has the bytes, or never if the connection breaks first. */
  writeBytes(bytes: Buffer, taken: () => void): void {
    this.socket.write(bytes, (error) => {
      if (!error) taken();
    });
  }

  /**
   * Sends a command on a wire without a reader and resolves with the reply; null when the wire broke, or when `wait`
   * (ms) was over first.
   */
  ask(command: string, wait: number): Promise<string | null> {
    return new Promise((resolve) => {
      const finish = (reply: string | null): void => {
        clearTimeout(timer);
        this.reader = null;
        resolve(reply);
      };
      const timer = setTimeout(() => finish(null), wait);
      this.reader = { onReply: finish, onBroken: () => finish(null) };
      this.socket.write(`${command}\r\n`);
    });
  }

  /** Closes it at once, without calling the reader; unsent bytes are not sent any more. */
  close(): void {
    this.reader = null;
    this.socket.destroy();
  }

  private onData(chunk: Buffer): void {
    for (const reply of this.replies.read(chunk)) {
      if (!this.reader) return this.close();
      this.reader.onReply(reply);
    }
    if (this.replies.fault !== null) return this.break(this.replies.fault);
    if (!this.reader && this.replies.pending) this.close();
  }

  private break(reason: string, isLate = false): void {
    const { reader } = this;
    this.close();
    reader?.onBroken(reason, isLate);
  }
}
