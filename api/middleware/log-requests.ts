import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Next } from 'koa';
import type { Logger } from '../../lib/logger';
import { requestedHost } from '../http/served-hosts';
import type { ApiContext } from '../state';

/** Hosts that are warned of in the life of the process: they come from outside, so their number has a bound. */
const MAX_HOSTS = 20;

/**
 * Outermost: gives each request its id, also in `X-Request-Id` of the answer, and logs a line for it: at warn for a 429
 * or a 5xx, at debug otherwise (docs/operations.md#logs). The path is logged without its query.
 */
export function logRequests(logger: Pick<Logger, 'debug' | 'warn'>) {
  const hosts = new Set<string>();
  return function logRequest(ctx: ApiContext, next: Next): Promise<void> {
    const id = randomUUID();
    const start = performance.now();
    ctx.state.requestId = id;
    ctx.res.setHeader('X-Request-Id', id);
    if (!ctx.state.hostServed) warnOfHost(logger, hosts, requestedHost(ctx.req));
    return next().then(() => {
      const status = ctx.res.statusCode;
      const facts = {
        requestId: id,
        method: ctx.req.method,
        path: ctx.path,
        status,
        ms: Math.round(performance.now() - start),
      };
      if (status === 429 || status >= 500) logger.warn(facts, 'request refused or failed');
      else logger.debug(facts, 'request');
    });
  };
}

/** Once for each host. */
function warnOfHost(logger: Pick<Logger, 'warn'>, hosts: Set<string>, host: string): void {
  if (hosts.has(host) || hosts.size >= MAX_HOSTS) return;
  hosts.add(host);
  logger.warn(
    { host },
    'a request for an unknown host got a 404; KURIR_PUBLIC_URL and KURIR_HOSTS set the known hosts',
  );
}
