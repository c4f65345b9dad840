import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ByteBudget } from '../../../lib/byte-budget';
import { silentLogger, type Logger } from '../../../lib/logger';
import { Connection } from './connection';
import { ConnectionSlots, type ConnectionLimits } from './connection-slots';
import { TIME_LIMITS, type TimeLimits } from './limits';
import type { SubmissionPolicy } from './policy';
import { formatReply, GOODBYES } from './reply';
import type { CertificatePair } from '../../../lib/certificate';
import { TlsUpgrader } from './tls-upgrader';

export interface RelayOptions<L> {
  policy: SubmissionPolicy<L>;
  /** Our name in the greeting. */
  hostname: string;
  /** The address to listen on. */
  host: string;
  /** 0 chooses a free port. */
  ports: RelayPorts;
  certificate: CertificatePair;
  connections: ConnectionLimits;
  /** For mails above 64 kB until they are answered, bytes. */
  memory: number;
  limits?: Partial<TimeLimits>;
  logger?: Pick<Logger, 'warn'>;
}

export interface RelayPorts {
  /** With STARTTLS. */
  smtp: number;
  /** With TLS from the start. */
  smtps: number;
}

const BUSY_LINGER = 1_000;
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

/** The SMTP relay on its two ports (docs/contract.md#relay-connection): sockets, TLS and limits around the sessions. */
export class RelayListener<L> {
  private readonly servers: { smtp: Server; smtps: Server };
  private readonly tls: TlsUpgrader;
  private readonly slots: ConnectionSlots;
  private readonly memory: ByteBudget;
  private readonly limits: TimeLimits;
  /** Every open socket, with its connection once it has one. */
  private readonly open = new Map<Socket, Connection<L> | null>();
  private readonly running = new Set<Promise<void>>();
  private isClosing = false;

  constructor(private readonly options: RelayOptions<L>) {
    this.limits = { ...TIME_LIMITS, ...options.limits };
    this.tls = new TlsUpgrader(options.certificate, this.limits.handshake);
    this.slots = new ConnectionSlots(options.connections);
    this.memory = new ByteBudget(options.memory);
    this.servers = {
      smtp: createServer((socket) => this.accept(socket, false)),
      smtps: createServer((socket) => this.accept(socket, true)),
    };
  }

  get isListening(): boolean {
    return this.servers.smtp.listening && this.servers.smtps.listening;
  }

  /** Takes connections on both ports. Rejects with the error of a socket, such as EADDRINUSE, and takes none then. */
  async listen(): Promise<RelayPorts> {
    const { host, ports } = this.options;
    try {
      return {
        smtp: await listen(this.servers.smtp, host, ports.smtp),
        smtps: await listen(this.servers.smtps, host, ports.smtps),
      };
    } catch (error) {
      this.closeServers();
      throw error;
    }
  }

  /** For every handshake from now on. */
  useCertificate(pair: CertificatePair): void {
    this.tls.use(pair);
  }

  /** Takes no more connections, answers what the policy has, and sends 421 on every connection. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.closeServers();
    for (const [socket, connection] of this.open) {
      if (connection) connection.stop();
      else socket.destroy();
    }
    this.memory.close();
    await Promise.all(this.running);
  }

  private closeServers(): void {
    for (const server of Object.values(this.servers)) if (server.listening) server.close();
  }

  private accept(socket: Socket, secure: boolean): void {
    // What becomes of a broken connection is seen when it is read or written.
    socket.on('error', () => undefined);
    const address = (socket.remoteAddress ?? '').replace(MAPPED_IPV4, '');
    const giveBack = address === '' || this.isClosing ? null : this.slots.take(address);
    if (giveBack === null) return refuse(socket, secure);
    this.open.set(socket, null);
    socket.once('close', () => {
      this.open.delete(socket);
      giveBack();
    });
    socket.setNoDelay(true);
    const run = this.serve(socket, address, secure);
    this.running.add(run);
    void run.finally(() => this.running.delete(run));
  }

  /** Never rejects. */
  private async serve(socket: Socket, address: string, secure: boolean): Promise<void> {
    const start = { peer: { address }, loginBy: performance.now() + this.limits.login };
    if (secure) return this.serveSecured(socket, { ...start, greets: true });
    const connection = this.connect(socket, socket, { ...start, secure, greets: true });
    if ((await connection.run()) === 'startTls') return this.serveSecured(socket, { ...start, greets: false });
    socket.destroy();
  }

  private async serveSecured(
    socket: Socket,
    start: { peer: { address: string }; loginBy: number; greets: boolean },
  ): Promise<void> {
    this.open.set(socket, null);
    if (this.isClosing) return void socket.destroy();
    const secured = await this.tls.upgrade(socket);
    if (!secured) return;
    secured.on('error', () => undefined);
    await this.connect(socket, secured, { ...start, secure: true }).run();
    secured.destroy();
  }

  private connect(socket: Socket, over: Socket, start: ConstructorParameters<typeof Connection>[2]): Connection<L> {
    const { policy, hostname, logger = silentLogger } = this.options;
    const { memory, limits } = this;
    const connection = new Connection(over, { policy, hostname, memory, limits, logger }, start);
    if (this.open.has(socket)) this.open.set(socket, connection);
    if (this.isClosing) connection.stop();
    return connection;
  }
}

/** Under TLS it would take a handshake to say why. */
function refuse(socket: Socket, secure: boolean): void {
  if (secure) return void socket.destroy();
  socket.end(formatReply(GOODBYES.tooManyConnections));
  socket.resume();
  setTimeout(() => socket.destroy(), BUSY_LINGER).unref();
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A connection that could not be accepted, such as for too many open files, is the loss of its client alone.
      server.on('error', () => undefined);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
