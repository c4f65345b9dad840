import type { Next } from 'koa';
import type { Logger } from '../../lib/logger';
import { ApiError } from '../errors';
import { answerUnreadBody, hasUnreadBody } from '../http/unread-body';
import type { ApiContext } from '../state';

/**
 * Outermost: turns every error into its JSON body (docs/contract.md#error-bodies). Unexpected errors become a 500 and
 * are logged once, here.
 */
export function answerErrors(logger: Pick<Logger, 'error' | 'debug'>) {
  return async function answerErrors(ctx: ApiContext, next: Next): Promise<void> {
    try {
      await next();
    } catch (error) {
      const answer = error instanceof ApiError ? error : new ApiError('server_error');
      if (answer !== error) {
        const { requestId } = ctx.state;
        logger.error({ err: error, requestId, method: ctx.method, path: ctx.path }, 'request failed');
      }
      ctx.status = answer.status;
      ctx.set(answer.headers);
      ctx.body = answer.body;
    }
    if (hasUnreadBody(ctx)) await answerUnreadBody(ctx);
    // A partly read request is paused: without this, the next request on the connection would never be read.
    else ctx.req.resume();
  };
}
