import { HttpConnection } from './http-connection';
import { type Sender, messageRequest } from './message-request';
import type { SampleName } from './sample-mail';
import { monotonic, percentile } from './time';

export interface LoadOptions {
  /** Port of the HTTP server, on 127.0.0.1. */
  port: number;
  /** Used in turn. */
  senders: Sender[];
  connections: number;
  /** The load ends after this many requests, or after this many seconds. */
  until: { requests: number } | { seconds: number };
  /** Default: the small mail. */
  sample?: SampleName;
  /** The `send_at` of every message; none by default. */
  sendAt?: string | undefined;
}

export interface LoadResult {
  /** Monotonic time just before the first request. */
  startedAt: number;
  accepted: number;
  /** Number of answers other than 2xx, and of connections that failed or ended. */
  refused: number;
  /** Accepted requests per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Sends as many requests as the server takes over the given connections; each waits for its answer. */
export async function load({ port, senders, connections, until, sample, sendAt }: LoadOptions): Promise<LoadResult> {
  const startedAt = monotonic();
  const end = 'seconds' in until ? startedAt + until.seconds * 1_000 : Infinity;
  let left = 'requests' in until ? until.requests : Infinity;
  let turn = 0;
  let accepted = 0;
  const latencies: number[] = [];
  const post = async (connection: HttpConnection): Promise<void> => {
    while (connection.alive && left > 0 && monotonic() < end) {
      left -= 1;
      const sentAt = monotonic();
      const request = messageRequest(senders[turn++ % senders.length] as Sender, port, sample, sendAt);
      const status = await connection.send(request);
      latencies.push(monotonic() - sentAt);
      if (status >= 200 && status < 300) accepted += 1;
    }
  };
  const opened = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(port)));
  const open = opened.filter((connection) => connection !== null);
  await Promise.all(open.map(post));
  const rate = (accepted * 1_000) / (monotonic() - startedAt);
  const lost = connections - open.filter((connection) => connection.alive).length;
  for (const connection of open) connection.close();
  const refused = latencies.length - accepted + lost;
  return { startedAt, accepted, refused, rate, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}
