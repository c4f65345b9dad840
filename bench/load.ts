import autocannon from 'autocannon';
import { SAMPLE } from './sample-mail';
import { monotonic } from './time';

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
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    ...('requests' in until ? { amount: until.requests } : { duration: until.seconds }),
    requests: senders.map((sender) => ({
      method: 'POST',
      path: '/v1/messages',
      setupRequest: (request) => ({ ...request, ...messageRequest(sender) }),
    })),
  });
  return {
    startedAt,
    accepted: result['2xx'],
    refused: result.non2xx + result.errors,
    rate: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
