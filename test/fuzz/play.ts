import fc from 'fast-check';
import { Agent, request as httpRequest } from 'node:http';
import type { Installation } from '../../proof/crash/installation';
import { ApiContract } from '../support/api-contract';
import { requests, type PlannedRequest } from './requests';
import { Target } from './target';

export interface Fuzzing {
  seed: number;
  requests: number;
}

/** How often each operation answered each status: `sendMessage` -> 201 -> 17. */
export type Counts = Map<string, Map<number, number>>;

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/**
 * Sends random requests of every operation to a service of its own and holds each answer: no 5xx, a documented status,
 * a body by the document, always JSON, with the rate headers. Rejects with the smallest request that broke it, as a
 * curl line.
 */
export async function fuzz(installation: Installation, { seed, requests: numRuns }: Fuzzing): Promise<Counts> {
  const contract = new ApiContract();
  const target = await Target.start(installation);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const counts: Counts = new Map();
  let line = '';
  const property = fc.asyncProperty(requests(contract.document), async (planned) => {
    const sent = prepare(planned, target);
    line = curl(sent);
    const answer = await send(sent, agent);
    count(counts, planned.operation, answer.status);
    const fault = faultOf(contract, sent, answer);
    if (fault !== null) throw new Error(`${fault}\n${line}`);
    target.learn(sent.method, sent.target, answer.status, parse(answer.body));
  });
  try {
    const details = await fc.check(property, { seed, numRuns });
    if (details.failed) throw new Error(`seed ${seed}, request ${details.numRuns}: ${String(details.errorInstance)}`);
    return counts;
  } finally {
    agent.destroy();
    await target.stop();
  }
}

interface Sent extends Pick<PlannedRequest, 'method' | 'body'> {
  url: URL;
  target: string;
  headers: Record<string, string>;
}

function prepare(planned: PlannedRequest, target: Target): Sent {
  const key = target.keyOf(planned);
  const url = new URL(target.baseUrl);
  const body = planned.body === null ? null : target.fill(planned.body);
  const headers = {
    ...planned.headers,
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return { method: planned.method, url, target: `${url.pathname}${target.fill(planned.target)}`, headers, body };
}

function send({ url, method, target, headers, body }: Sent, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = httpRequest({ host: url.hostname, port: url.port, method, path: target, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    req.on('error', reject);
    req.end(body ?? undefined);
  });
}

/** What the answers to requests that the document does not know may be: a wrong method, no such path. */
const OTHERWISE = new Set([401, 403, 404, 405]);
const ERROR = ['components', 'schemas', 'Error'];

function faultOf(contract: ApiContract, { method, target }: Sent, answer: Answer): string | null {
  const { status, headers, body } = answer;
  if (status >= 500) return `${status} ${body}`;
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining']) {
    if (headers[name] === undefined) return `${status} without ${name}`;
  }
  if (!String(headers['content-type']).startsWith('application/json')) return `${status} not as JSON`;
  if (contract.knows(method, target)) return contract.breach({ method, target, ...answer });
  if (!OTHERWISE.has(status)) return `${status} of what is not documented`;
  return method === 'HEAD' ? null : contract.faults(ERROR, parse(body));
}

function count(counts: Counts, operation: string, status: number): void {
  const byStatus = counts.get(operation) ?? new Map<number, number>();
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  counts.set(operation, byStatus);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, method, target, headers, body }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data =
    body === null ? [] : [`--data-binary ${quoted(body.length > 5_000 ? `${body.slice(0, 5_000)}…` : body)}`];
  return ['curl -i --path-as-is -X', method, ...lines, ...data, quoted(`${url.origin}${target}`)].join(' ');
}
