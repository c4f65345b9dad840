import type { Context, Middleware } from 'koa';
import { ApiError, type ErrorBody } from '../errors';
import { callerAt, setRateHeaders } from '../rate-limit/rate-headers';
import type { Services } from '../../operations/services';
import { findAdminKey, type AdminKey } from '../../operations/people/admin-keys';
import type { Access } from '../../domain/people/access';
import { clientAddress } from '../../lib/client-network';
import { SECOND } from '../../lib/clock';
import { UnavailableError } from '../../lib/errors';
import { allOperations, findOperation } from '../../operations/catalogue';
import { performFor } from '../../operations/perform';
import type { Fault } from '../../operations/definition';
import { adminDocument } from './document';
import { readInput } from './read-input';
import { ROOT } from './root';

/** No answer is kept, framed, or taken for something else than JSON. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
const DOCUMENT = `${ROOT}/openapi.json`;

/** The management API: each operation is a POST below `/admin/v1` (docs/management-api.md). */
export function openAdmin(services: Services): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/admin' && !ctx.path.startsWith('/admin/')) return void (await next());
    ctx.set(HEADERS);
    try {
      await answer(services, ctx);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      ctx.set('Retry-After', '5');
      refuse(ctx, 503, {
        message: 'The data cannot be read or written right now. Try again soon.',
        code: 'unavailable',
      });
    }
  };
}

async function answer(services: Services, ctx: Context): Promise<void> {
  const caller = await callerOf(services, ctx);
  await count(services, ctx, caller?.key ?? null);
  if (ctx.path === DOCUMENT) return showDocument(services, ctx);
  if (!caller) return unknownCaller(ctx);
  if (!ctx.path.startsWith(`${ROOT}/`)) throw new ApiError('not_found');
  const operation = await findOperation(ctx.path.slice(ROOT.length + 1));
  if (!operation) throw new ApiError('not_found');
  allow(ctx, 'POST');
  const { key, access } = caller;
  const input = await readInput(ctx.req).catch((fault: unknown) => {
    if (fault instanceof ApiError && !access.holds(operation.role)) return null;
    throw fault;
  });
  if (!input) return refuse(ctx, 403, { message: `Requires the role ${operation.role}.`, code: CODES[403] });
  const done = await performFor(services, { actor: `key "${key.body.name}"`, access }, operation, input);
  if (!done.ok) return refuseFault(ctx, done.fault);
  ctx.status = 200;
  ctx.body = done.json;
}

/** 405 for any other method than `method`. */
function allow(ctx: Context, ...methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return;
  throw new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } });
}

async function callerOf(
  { engine, clock, keyring }: Services,
  ctx: Context,
): Promise<{ key: AdminKey; access: Access } | null> {
  const [, text] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  return text === undefined ? null : findAdminKey({ records: engine.stores.records, clock, keyring }, text);
}

function unknownCaller(ctx: Context): never {
  const code = ctx.get('Authorization') === '' ? 'missing_api_key' : 'invalid_api_key';
  throw new ApiError(code, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Counts the request by its key, or by its network without one. Throws ApiError 429 above the limit. */
async function count({ rateLimiter, config, clock }: Services, ctx: Context, key: AdminKey | null): Promise<void> {
  const caller = key ? `admin-key:${key.id}` : callerAt(clientAddress(ctx.req, config.trustedHops));
  const rate = await rateLimiter.take(caller);
  setRateHeaders(ctx.res, rate);
  if (!rate.exceeded) return;
  const wait = Math.max(1, Math.ceil((rate.resetAt - clock.now()) / SECOND));
  throw new ApiError('too_many_attempts', { headers: { 'Retry-After': String(wait) } });
}

async function showDocument({ dashboardUrl }: Services, ctx: Context): Promise<void> {
  allow(ctx, 'GET', 'HEAD');
  ctx.body = adminDocument(await allOperations(), dashboardUrl());
}

const CODES = { 403: 'missing_role', 404: 'not_found', 422: 'validation_failed' } as const;

function refuseFault(ctx: Context, { status, message, field }: Fault): void {
  refuse(ctx, status, {
    message,
    code: status === 422 && field === null ? 'refused' : CODES[status],
    ...(field !== null && { errors: { [field]: [message] } }),
  });
}

function refuse(ctx: Context, status: number, body: ErrorBody): void {
  ctx.status = status;
  ctx.body = body;
}
