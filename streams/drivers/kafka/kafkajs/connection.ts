import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Kafka, logLevel, type Admin, type Cluster, type ISocketFactory, type KafkaConfig } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue';
import { sleep } from '../../../../lib/sleep';
import { withTimeout } from '../../../../lib/with-timeout';
import { CLIENT_ID, REQUEST_TIMEOUT, type KafkaServers } from '../options';
import { LoginRefusedError, unavailable } from '../unavailable';

const RETRY_WAIT = 300;

/**
 * kafkajs 2.2.4 looks every millisecond for requests that wait, from its first connection on: 1.5 % of a core at rest
 * (https://github.com/tulios/kafkajs/issues/1704). A request that has to wait, and each answer, schedule the look too.
 */
const { scheduleCheckPendingRequests } = RequestQueue.prototype;
RequestQueue.prototype.scheduleCheckPendingRequests = function (): void {
  if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
};

const KEEP_ALIVE = 60_000;

/** The sockets of one connection. */
export interface KeptSockets {
  socketFactory: ISocketFactory;
  /** Those that are open. */
  sockets: ReadonlySet<Socket>;
  /** Destroys them, and each that kafkajs makes later: a request that it repeats opens one after its disconnect. */
  end: () => void;
}

/** Makes sockets as kafkajs does. */
export function keptSockets(): KeptSockets {
  const sockets = new Set<Socket>();
  let ended = false;
  // Without an error kafkajs does not learn that the socket is gone, and its timers go on.
  const destroy = (socket: Socket): void => void socket.destroy(new Error('the connection is closed'));
  const socketFactory: ISocketFactory = ({ host, port, ssl: options, onConnect }) => {
    // The library passes none without TLS, whatever its type says.
    const ssl = options as typeof options | undefined;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = ssl ? connectTls({ host, port, ...name, ...ssl }, onConnect) : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (ended) destroy(socket);
    return socket;
  };
  const end = (): void => {
    ended = true;
    sockets.forEach(destroy);
  };
  return { sockets, socketFactory, end };
}

/** How kafkajs reaches the servers. It logs nothing itself: everything that matters is thrown. */
export function kafkajs({ brokers, tls, sasl }: KafkaServers, socketFactory?: ISocketFactory): Kafka {
  const config: KafkaConfig = {
    clientId: CLIENT_ID,
    brokers: [...brokers],
    connectionTimeout: 3_000,
    requestTimeout: REQUEST_TIMEOUT,
    logLevel: logLevel.NOTHING,
    ...(socketFactory && { socketFactory }),
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 },
    ...(tls && {
      ssl: {
        ...(tls.ca === undefined ? {} : { ca: [tls.ca] }),
        ...(tls.cert === undefined ? {} : { cert: tls.cert }),
        ...(tls.key === undefined ? {} : { key: tls.key }),
      },
    }),
  };
  // The library's type separates the mechanisms, though their fields are the same.
  if (sasl) config.sasl = { ...sasl } as NonNullable<KafkaConfig['sasl']>;
  return new Kafka(config);
}

/** The admin of kafkajs, and the brokers behind it for requests it does not offer. */
export interface Connected {
  admin: Admin;
  cluster: Cluster;
  kept: KeptSockets;
}

/** A connection opened when first needed, and reopened after a failure. */
export class KafkajsConnection {
  private opened: Promise<Connected> | null = null;
  private closed = false;
  /** Ends of connections that failed. */
  private readonly ending = new Set<Promise<void>>();

  constructor(private readonly servers: KafkaServers) {}

  /**
   * Runs `work`, and once more when it fails. Throws UnavailableError when it fails again, or after about
   * REQUEST_TIMEOUT.
   */
  async use<T>(what: string, work: (connected: Connected) => Promise<T>): Promise<T> {
    const deadline = performance.now() + REQUEST_TIMEOUT;
    for (;;) {
      if (this.closed) throw unavailable(what, new Error('the log is closed'));
      const opening = (this.opened ??= this.open());
      try {
        return await withTimeout(opening.then(work), REQUEST_TIMEOUT, { what });
      } catch (error) {
        this.leave(opening);
        const failure = unavailable(what, error);
        if (performance.now() > deadline || failure instanceof LoginRefusedError) throw failure;
        await sleep(RETRY_WAIT);
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const connected = await this.opened?.catch(() => null);
    if (connected) await disconnect(connected);
    await Promise.all(this.ending);
  }

  /** The next use opens another connection; several that failed at once leave the same one. */
  private leave(opening: Promise<Connected>): void {
    if (this.opened !== opening) return;
    this.opened = null;
    const ending = opening.then(disconnect).catch(() => {});
    this.ending.add(ending);
    void ending.then(() => this.ending.delete(ending));
  }

  private async open(): Promise<Connected> {
    const kept = keptSockets();
    const kafka = kafkajs(this.servers, kept.socketFactory);
    const admin = kafka.admin();
    const cluster = clusterOf(kafka);
    // Wait for both: one that is still connecting when the other fails would stay open.
    const results = await Promise.allSettled([admin.connect(), cluster.connect()]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      await disconnect({ admin, cluster, kept });
      throw failed.reason;
    }
    return { admin, cluster, kept };
  }
}

/** kafkajs passes its connections to partition assigners, which is where this gets them. No group is joined. */
export function clusterOf(kafka: Kafka): Cluster {
  const found: Cluster[] = [];
  kafka.consumer({
    groupId: 'none',
    partitionAssigners: [
      ({ cluster }) => {
        found.push(cluster);
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: '', metadata: Buffer.alloc(0) }),
        };
      },
    ],
  });
  const [cluster] = found;
  if (!cluster) throw new Error('kafkajs provided no connection');
  return cluster;
}

/** A broker that answers nothing holds up the end of a connection, so what is still open then is destroyed. */
async function disconnect({ admin, cluster, kept }: Connected): Promise<void> {
  const both = Promise.allSettled([admin.disconnect(), cluster.disconnect()]);
  await withTimeout(both, REQUEST_TIMEOUT, { what: 'disconnecting' }).catch(() => {});
  kept.end();
}
