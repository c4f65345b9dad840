import type { Socket } from 'node:net';
import { ReplyReader } from './reply-reader';

/** Whoever speaks over a wire at the moment. */
export interface WireUser {
  onReply(reply: string): void;
  /** The wire is of no more use; it is closed. Called once at most. */
  onBroken(reason: string): void;
}

/**
 * The open socket of an SMTP session: bytes out, replies in, for one user at a time. A word of the server while nobody
 * uses it, an answer that is no reply, silence, or an end on the other side breaks it.
 */
export class SmtpWire {
  private readonly replies = new ReplyReader();
  private user: WireUser | null = null;

  /** Takes the socket over: whoever read from it before reads nothing more. */
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

  /** Null: nobody uses it. */
  use(user: WireUser | null): void {
    this.user = user;
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

  /** Ends it at once: what was not sent yet is not sent any more. */
  close(): void {
    this.user = null;
    this.socket.destroy();
  }

  private onData(chunk: Buffer): void {
    for (const reply of this.replies.read(chunk)) {
      if (!this.user) return this.close();
      this.user.onReply(reply);
    }
    if (this.replies.fault !== null) return this.break(this.replies.fault);
    if (!this.user && this.replies.pending) this.close();
  }

  private break(reason: string): void {
    const { user } = this;
    this.close();
    user?.onBroken(reason);
  }
}
