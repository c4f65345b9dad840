import type { Socket } from 'node:net';

/** `late`: nothing came in time; `end`: nothing will come; `stopped`: `interrupt` was called. */
export type Received = Buffer | 'late' | 'end' | 'stopped';

/** Reads a socket when asked to, so that a client is held back by TCP while its last bytes are worked on. */
export class SocketReader {
  private settle: ((received: Received) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;
  private readonly onReadable = (): void => {
    const chunk = this.settle === null ? null : this.take();
    if (chunk) this.finish(chunk);
  };
  private readonly onEnd = (): void => {
    this.isOver = true;
    this.finish('end');
  };

  constructor(private readonly socket: Socket) {
    socket.on('readable', this.onReadable).on('end', this.onEnd).on('close', this.onEnd);
  }

  /** The next bytes, or why there are none within `ms` of real time. One call at a time. Never rejects. */
  read(ms: number): Promise<Received> {
    const chunk = this.take();
    if (chunk) return Promise.resolve(chunk);
    if (this.isOver || this.socket.destroyed) return Promise.resolve('end');
    return new Promise((resolve) => {
      this.settle = resolve;
      this.timer = setTimeout(() => this.finish('late'), ms);
    });
  }

  /** Ends a `read` that waits. */
  interrupt(): void {
    this.finish('stopped');
  }

  /** Leaves the socket to another reader. */
  detach(): void {
    this.socket.off('readable', this.onReadable).off('end', this.onEnd).off('close', this.onEnd);
  }

  private take(): Buffer | null {
    return this.socket.read() as Buffer | null;
  }

  private finish(received: Received): void {
    const { settle } = this;
    clearTimeout(this.timer);
    this.settle = null;
    settle?.(received);
  }
}
