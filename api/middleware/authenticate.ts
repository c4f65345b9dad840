import type { Next } from 'koa';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { API_PREFIX } from '../route';
import type { ApiContext } from '../state';
import { readSwitches } from '../../operations/installation/switches';

/** Seconds until a caller that this process refuses tries again; a proxy sends it to another one by then. */
const RETRY_AFTER = '5';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Runs before route lookup: 404 outside the prefix, 503 while the operator has switched the API off, or while this
 * process may accept nothing, 401 without a valid key (order: docs/contract.md#order-of-checks).
 */
export function authenticate({ stores, mayAct }: Pick<ApiDeps, 'stores' | 'mayAct'>) {
  return async function admit(ctx: ApiContext, next: Next): Promise<void> {
    if (ctx.path !== API_PREFIX && !ctx.path.startsWith(`${API_PREFIX}/`)) throw new ApiError('not_found');
    ctx.state.switches = await readSwitches(stores.settings);
    if (!ctx.state.switches.api) throw new ApiError('switched_off');
    if (!READS.has(ctx.method) && !mayAct()) {
      throw new ApiError('standby', { headers: { 'Retry-After': RETRY_AFTER } });
    }
    const { caller } = ctx.state;
    if (caller.kind === 'unknown') throw new ApiError(caller.code, { headers: { 'WWW-Authenticate': 'Bearer' } });
    await next();
  };
}
