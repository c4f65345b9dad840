import { Agent, request } from 'node:http';
import { type Sender, messageRequest } from './load';
import { monotonic, percentile, sleep } from './time';

export interface SteadyOptions {
  port: number;
  senders: Sender[];
  /** Requests a second, started on time whether or not earlier ones were answered. */
  rate: number;
  seconds: number;
}

export interface SteadyResult {
  accepted: number;
  refused: number;
  /** Milliseconds from the time a request was due, so that a stalled server cannot hide its queue. */
  p50: number;
  p99: number;
  max: number;
}

/** Open-loop load at a fixed rate. */
export async function steadyLoad({ port, senders, rate, seconds }: SteadyOptions): Promise<SteadyResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const total = rate * seconds;
  const startedAt = monotonic();
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  let accepted = 0;
  for (let n = 0; n < total; n++) {
    const due = startedAt + (n * 1_000) / rate;
    while (monotonic() < due) await sleep(1);
    const sender = senders[n % senders.length] as Sender;
    const answered = post(agent, port, sender).then((status) => {
      latencies.push(monotonic() - due);
      if (status === 201) accepted += 1;
    });
    answers.push(answered);
  }
  await Promise.all(answers);
  agent.destroy();
  const of = (share: number): number => percentile(latencies, share);
  return { accepted, refused: total - accepted, p50: of(0.5), p99: of(0.99), max: of(1) };
}

/** Answers the status; 0 when there was no answer. */
function post(agent: Agent, port: number, sender: Sender): Promise<number> {
  const { headers, body } = messageRequest(sender);
  return new Promise((resolve) => {
    const outgoing = request(
      { agent, port, host: '127.0.0.1', method: 'POST', path: '/v1/messages', headers },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', () => resolve(0));
      },
    );
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}
