import { Client, type Dispatcher } from 'undici';
import { SAMPLE } from './sample-mail';
import { monotonic, percentile } from './time';

/** A workspace that posts. */
export interface Sender {
  apiKey: string;
  domainId: number;
}

export interface LoadOptions {
  /** Of the HTTP server, on 127.0.0.1. */
  port: number;
  /** Take turns. */
  senders: Sender[];
  connections: number;
  /** Ends the load: after that many requests, or after that many seconds. */
  until: { requests: number } | { seconds: number };
}

export interface LoadResult {
  /** Monotonic time just before the first request. */
  startedAt: number;
  accepted: number;
  /** Answers other than 2xx, and connections that failed. */
  refused: number;
  /** Accepted a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

let recipients = 0;

/** The head and body of a POST /v1/messages to a recipient that was never written to before. */
export function messageRequest({ apiKey, domainId }: Sender): { headers: Record<string, string>; body: string } {
  const to = `r${process.pid}-${++recipients}@recipient.example`;
  return {
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ to, sending_domain_id: domainId, ...SAMPLE }),
  };
}

/** As many requests as the server takes over the given connections; each waits for its answer. */
export async function load({ port, senders, connections, until }: LoadOptions): Promise<LoadResult> {
  const startedAt = monotonic();
  const end = 'seconds' in until ? startedAt + until.seconds * 1_000 : Infinity;
  let left = 'requests' in until ? until.requests : Infinity;
  let turn = 0;
  let accepted = 0;
  const latencies: number[] = [];
  const post = async (client: Client): Promise<void> => {
    while (left > 0 && monotonic() < end) {
      left -= 1;
      const sentAt = monotonic();
      const status = await answerOf(client, senders[turn++ % senders.length] as Sender);
      latencies.push(monotonic() - sentAt);
      if (status >= 200 && status < 300) accepted += 1;
    }
  };
  const clients = Array.from({ length: connections }, () => new Client(`http://127.0.0.1:${port}`));
  await Promise.all(clients.map(post));
  const rate = (accepted * 1_000) / (monotonic() - startedAt);
  await Promise.all(clients.map((client) => client.close()));
  const refused = latencies.length - accepted;
  return { startedAt, accepted, refused, rate, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

/** Posts a message; answers the status, 0 when there was no answer. */
function answerOf(client: Client, sender: Sender): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => (status = code),
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(status),
      onResponseError: () => resolve(0),
    };
    client.dispatch({ method: 'POST', path: '/v1/messages', ...messageRequest(sender) }, handler);
  });
}
