import { sleep } from '../../lib/sleep';
import { HttpConnection } from './http-connection';
import { type Sender, messageRequest } from './message-request';
import { monotonic, percentile } from './time';

export interface SteadyOptions {
  port: number;
  senders: Sender[];
  /** Requests per second. Each starts on time, whether or not earlier ones were answered. */
  rate: number;
  seconds: number;
}

export interface SteadyResult {
  accepted: number;
  refused: number;
  /** Latency from the time a request was due, ms, so that a stalled server cannot hide its queue. */
  p50: number;
  p99: number;
  max: number;
}

/** Open-loop load at a fixed rate, over as many connections as needed. */
export async function steadyLoad({ port, senders, rate, seconds }: SteadyOptions): Promise<SteadyResult> {
  const idle: HttpConnection[] = [];
  const total = rate * seconds;
  const startedAt = monotonic();
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  let accepted = 0;
  for (let n = 0; n < total; n++) {
    const due = startedAt + (n * 1_000) / rate;
    while (monotonic() < due) await sleep(1);
    const request = messageRequest(senders[n % senders.length] as Sender, port);
    const answered = post(idle, port, request).then((status) => {
      latencies.push(monotonic() - due);
      if (status === 201) accepted += 1;
    });
    answers.push(answered);
  }
  await Promise.all(answers);
  for (const connection of idle) connection.close();
  const of = (share: number): number => percentile(latencies, share);
  return { accepted, refused: total - accepted, p50: of(0.5), p99: of(0.99), max: of(1) };
}

/** Sends over the connection used last, or a new one. Returns the status, 0 when no answer came. */
async function post(idle: HttpConnection[], port: number, request: string): Promise<number> {
  let connection = idle.pop() ?? null;
  // a server closes a connection that was idle for seconds
  while (connection && !connection.alive) connection = idle.pop() ?? null;
  connection ??= await HttpConnection.open(port);
  if (!connection) return 0;
  const status = await connection.send(request);
  idle.push(connection);
  return status;
}
