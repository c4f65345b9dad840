import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from '../../proof/crash/free-ports';

/** A proxy to a server, for one test: it can be shut, opened and frozen while other tests use the server. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private frozen = false;

  private constructor(
    private readonly to: { host: string; port: number },
    /** Stays the same while the gate is shut. */
    readonly port: number,
  ) {}

  /** A shut gate on a free port; `to` is `host:port`. */
  static async at(to: string): Promise<Gate> {
    const [host = '', port = ''] = to.split(':');
    const [free = 0] = await freePorts(1);
    return new Gate({ host, port: Number(port) }, free);
  }

  async open(): Promise<void> {
    this.server = createServer((near) => this.join(near, connect(this.to)));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Cuts every connection; new ones are refused. */
  async shut(): Promise<void> {
    this.thaw();
    const { server } = this;
    this.server = null;
    for (const socket of this.sockets) socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** Connections stay open, but no data passes. */
  freeze(): void {
    this.frozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (data) => onto.write(data));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        onto.destroy();
      });
      if (this.frozen) from.pause();
    }
  }
}
