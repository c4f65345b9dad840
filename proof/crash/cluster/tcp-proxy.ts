import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes bytes to a server and back; it can be slow, and it can swallow everything while connections stay open. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private delay = 0;
  private swallows = false;

  private constructor(
    private readonly server: Server,
    private readonly to: { host: string; port: number },
  ) {}

  /** Listens on a free port of this machine; `to` is `host:port`. */
  static async open(to: string): Promise<TcpProxy> {
    const [host = '', port = ''] = to.split(':');
    const server = createServer();
    const proxy = new TcpProxy(server, { host, port: Number(port) });
    server.on('connection', (near) => proxy.join(near));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Every byte arrives this much later, ms, in each direction. */
  slowBy(ms: number): void {
    this.delay = ms;
  }

  /** True: nothing passes any more, and no one is told. What was swallowed never arrives. */
  swallow(all: boolean): void {
    this.swallows = all;
    // As a firewall does that lost its table: connections of before are dead.
    if (!all) for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket): void {
    const far = connect(this.to);
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (data) => this.pass(data, onto));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        onto.destroy();
      });
    }
  }

  private pass(data: Buffer, onto: Socket): void {
    if (this.swallows) return;
    if (this.delay === 0) onto.write(data);
    else setTimeout(() => !this.swallows && onto.writable && onto.write(data), this.delay);
  }
}
