import type { Next } from 'koa';
import { SECOND } from '../../lib/clock';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { clientAddress } from '../../lib/client-network';
import { callerAt, setRateHeaders } from '../rate-limit/rate-headers';
import type { RateState } from '../../stores/ports/rate-limiter';
import type { ApiContext } from '../state';
import { findCaller } from './find-caller';

/**
 * Counts the request by its API key, or by IP without a valid key (docs/contract.md#request-rate), and sets the two
 * headers of the later response. 404 for a host that is not served, 429 above the limit.
 */
export function rateLimit(deps: ApiDeps) {
  return async function countRequest(ctx: ApiContext, next: Next): Promise<void> {
    const failure = await identify(deps, ctx);
    const { caller } = ctx.state;
    const rate =
      caller.kind === 'known'
        ? await deps.rateLimiter.take(`key:${caller.key.id}`, caller.key.ratePerMinute ?? undefined)
        : await deps.rateLimiter.take(callerAt(clientAddress(ctx.req, deps.trustedHops)));
    setRateHeaders(ctx.res, rate);
    if (!ctx.state.hostServed) throw new ApiError('not_found');
    if (rate.exceeded) throw tooMany(rate, deps.clock.now());
    if (failure) throw failure.cause;
    await next();
  };
}

/** A request must be counted even when a store fails to identify the caller: the failure is kept for later. */
function identify(deps: ApiDeps, ctx: ApiContext): Promise<{ cause: unknown } | null> | null {
  ctx.state.caller = { kind: 'unknown', code: 'missing_api_key' };
  if (!ctx.state.hostServed) return null;
  return findCaller(deps, ctx.req.headers.authorization).then(
    (caller) => {
      ctx.state.caller = caller;
      return null;
    },
    (cause: unknown) => ({ cause }),
  );
}

function tooMany({ resetAt }: RateState, now: number): ApiError {
  return new ApiError('too_many_attempts', {
    headers: {
      'Retry-After': String(Math.max(1, Math.ceil((resetAt - now) / SECOND))),
      'X-RateLimit-Reset': String(Math.ceil(resetAt / SECOND)),
    },
  });
}
