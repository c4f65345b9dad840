import type { RouterContext } from '@koa/router';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import { HOOKS_PATH } from '../page';
import { answerJson } from '../page-answers';
import { HOOK_BEHAVIOURS, REDIRECTED } from './hook-behaviour';
import { readPayload } from './hook-payload';
import { isVerified, type Verification } from './hook-request';
import type { HookStore } from './hook-store';
import { verifyRequest, type HookSecret } from './verify-request';

export interface ReceiveDeps {
  hooks: Pick<HookStore, 'keep'>;
  clock: Pick<Clock, 'now'>;
  /** The webhooks with this URL and their secrets, first the one whose delivery `webhookId` is. */
  findSecrets: FindSecrets;
}

/** `host` is the Host header, `url` path and query as requested. */
export type FindSecrets = (request: { webhookId: string | null; host: string; url: string }) => Promise<HookSecret[]>;

/** bytes */
const MAX_BODY = 1024 * 1024;
const MAX_HEADER = 1_000;
/** Longest text of a webhook-id, an event or a message id that is kept apart. */
const MAX_FIELD = 200;
const KEPT_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-signature',
];

/** Receives one request: verifies and keeps it, then answers as the hook of this name does (docs/sandbox.md#hooks). */
export async function receiveRequest(ctx: RouterContext, name: string, deps: ReceiveDeps): Promise<void> {
  const left = whenLeft(ctx);
  const body = await readBody(ctx.req);
  if (body === null) return void (ctx.respond = false);
  if (body === 'too large') return answer(ctx, 413, { message: 'The request body must not be greater than 1 MB.' });
  const behaviour = HOOK_BEHAVIOURS.get(name);
  const receivedAt = deps.clock.now();
  const webhookId = header(ctx.req, 'webhook-id')?.slice(0, MAX_FIELD) ?? null;
  const secrets = await deps.findSecrets({ webhookId, host: ctx.host, url: ctx.url });
  const verification = verifyRequest({ headers: ctx.req.headers, body, now: receivedAt }, secrets);
  const status = behaviour?.answer === undefined ? plainStatus(verification) : behaviour.answer;
  const { attempt } = await deps.hooks.keep({
    ...verification,
    ...factsOf(body),
    name,
    receivedAt,
    webhookId,
    answer: status,
    headers: keptHeaders(ctx.req),
    body,
  });
  if (behaviour?.wait) await sleep(behaviour.wait, left);
  if (status === null) return hang(ctx, left);
  if (status === 302) ctx.set('Location', `${HOOKS_PATH}/${REDIRECTED}`);
  answer(ctx, status, status === 200 ? { verified: true, attempt } : { message: reason(status, verification) });
}

const plainStatus = (verification: Verification): 200 | 401 => (isVerified(verification) ? 200 : 401);

function reason(status: number, { subscription, serviceSignature, standardSignature }: Verification): string {
  if (status !== 401) return 'This hook fails on purpose.';
  if (subscription === null) return 'No webhook is registered with this URL.';
  return `Not verified: X-Service-Signature is ${serviceSignature}, webhook-signature is ${standardSignature}.`;
}

function answer(ctx: RouterContext, status: number, body: object): void {
  answerJson(ctx, body);
  ctx.status = status;
}

/** Holds the connection until the caller leaves or the program closes it. */
async function hang(ctx: RouterContext, left: AbortSignal): Promise<void> {
  ctx.respond = false;
  if (!left.aborted) await new Promise((resolve) => left.addEventListener('abort', resolve, { once: true }));
  ctx.req.socket.destroy();
}

/** Aborts when the caller leaves; the server itself would let it end its side and still wait for the answer. */
function whenLeft({ req, res }: RouterContext): AbortSignal {
  const left = new AbortController();
  const leave = (): void => left.abort();
  req.socket.once('end', leave);
  res.once('close', () => {
    req.socket.off('end', leave);
    leave();
  });
  return left.signal;
}

/** Null when the caller left before the end. */
async function readBody(req: IncomingMessage): Promise<Buffer | 'too large' | null> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

function factsOf(body: Buffer): { event: string | null; messageId: string | null } {
  const payload = readPayload(body.toString());
  return { event: shortText(payload?.['event']), messageId: shortText(payload?.['message_id']) };
}

const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_FIELD ? value : null;

function header({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function keptHeaders(req: IncomingMessage): Record<string, string> {
  const found = KEPT_HEADERS.flatMap((name) => {
    const value = header(req, name);
    return value === null ? [] : [[name, value.slice(0, MAX_HEADER)]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}
