import type { Socket } from 'node:net';
import { ReplyReader } from './reply-reader';

/** Whoever speaks over a wire, or is about to. */
export interface WireUser {
  /** The one before is done: replies are this one's from now on. */
  onTurn(): void;
  onReply(reply: string): void;
  /** The wire is of no more use; it is closed. Called once at most. */
  onBroken(reason: string): void;
}

/**
 * The open socket of an SMTP session: bytes out, replies in, for one user at a time and perhaps one that follows. A word of
 * the server while nobody uses it, an answer that is no reply, silence, or an end on the other side breaks it.
 */
export class SmtpWire {
  private readonly replies = new ReplyReader();
  private user: WireUser | null = null;
  private follower: WireUser | null = null;
  /** The server was told what nobody will go on with. */
  private spoiled = false;

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

  /** It is its turn at once. */
  use(user: WireUser): void {
    this.user = user;
    user.onTurn();
  }

  /** It is its turn when the user of now is done. */
  follow(user: WireUser): void {
    this.follower = user;
  }

  /** The follower's commands are on the wire and it does not want them any more: the wire ends with the user of now. */
  withdraw(): void {
    this.follower = null;
    this.spoiled = true;
  }

  /** The user is done, and whoever follows has its turn. */
  done(): void {
    if (this.spoiled) return this.close();
    this.user = this.follower;
    this.follower = null;
    this.user?.onTurn();
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

  /** Ends it at once, for the follower too: what was not sent yet is not sent any more. */
  close(reason = 'The connection ended.'): void {
    const { follower } = this;
    this.user = null;
    this.follower = null;
    this.socket.destroy();
    follower?.onBroken(reason);
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
    this.close(reason);
    user?.onBroken(reason);
  }
}
