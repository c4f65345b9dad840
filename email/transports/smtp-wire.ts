import type { Socket } from 'node:net';
import { ReplyReader } from './reply-reader';

/** What the replies on a wire are for. */
export interface WireReader {
  onReply(reply: string): void;
  /** The wire is of no more use; it is closed. Called once at most. */
  onBroken(reason: string): void;
}

/**
 * The open socket of an SMTP connection: bytes out, replies in, for one reader at a time. A reply while there is no reader, an
 * answer that is no reply, silence, or an end on the other side breaks it.
 */
export class SmtpWire {
  private readonly replies = new ReplyReader();
  private reader: WireReader | null = null;

  /** Takes the socket over: what read from it before reads nothing more. */
  constructor(private readonly socket: Socket) {
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => this.onData(chunk));
    socket.on('timeout', () => this.break('Timeout: the server has been silent for too long.'));
    socket.on('error', (error) => this.break(error.message));
    socket.on('end', () => this.break('The server closed the connection.'));
    socket.on('close', () => this.break('The connection ended.'));
  }

  /** True while what is written can still reach the server. */
  get alive(): boolean {
    return !this.socket.destroyed && this.socket.writable && !this.socket.readableEnded;
  }

  /** True when everything written has left for the kernel. */
  get flushed(): boolean {
    return this.socket.writableLength === 0;
  }

  /** From now on replies go to the reader, in place of the one before; null: none is expected. */
  read(reader: WireReader | null): void {
    this.reader = reader;
  }

  write(commands: string): void {
    this.socket.write(commands);
  }

  /** `taken` is called when the kernel has the bytes, or never when the connection breaks before. */
  writeBytes(bytes: Buffer, taken: () => void): void {
    this.socket.write(bytes, (error) => {
      if (!error) taken();
    });
  }

  /** The reply to a command on a wire without a reader; null when the wire broke, or `wait` (ms) was over before. */
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

  /** Ends it at once, without a word to the reader: what was not sent yet is not sent any more. */
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

  private break(reason: string): void {
    const { reader } = this;
    this.close();
    reader?.onBroken(reason);
  }
}
