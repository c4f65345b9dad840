import Router from '@koa/router';
import type { Next } from 'koa';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { bodyMemory } from '../http/body-memory';
import { readBody } from '../http/read-body';
import { API_PREFIX, type Route } from '../route';
import type { ApiContext, ApiState } from '../state';
import { authorize } from './authorize';

/**
 * Serves the routes: 404 and 405 first, then authorization, then the route itself (order:
 * docs/contract.md#order-of-checks).
 */
export function serveRoutes(deps: ApiDeps, routes: readonly Route[]) {
  const router = new Router<ApiState>({ prefix: API_PREFIX, sensitive: true, strict: true });
  for (const { method, path, ...policy } of routes) {
    router.register(path, [method], async (ctx) => {
      const { key, workspace, moduleOpen } = authorize(policy, ctx.state, deps.publicUrl());
      const memory = bodyMemory(deps.bodies);
      const answer = await policy.handle(deps, {
        key,
        workspace,
        moduleOpen,
        params: ctx.params,
        query: ctx.querystring,
        headers: ctx.req.headers,
        readBody: () => readBody(ctx.req, memory),
      }).finally(() => memory.release());
      // Bypasses the delegates of Koa's context, which cost more than the setters they call.
      ctx.response.status = answer.status;
      ctx.response.body = answer.body;
    });
  }
  return { dispatch: router.routes(), refuse };
}

/**
 * Runs when no route matched: 405 with the methods the path allows, else 404. OPTIONS is not supported, since there is
 * no CORS.
 */
function refuse(ctx: ApiContext, _next: Next): never {
  const matched = (ctx['matched'] ?? []) as { methods: string[] }[];
  const allowed = new Set(matched.flatMap((layer) => layer.methods));
  if (allowed.size === 0) throw new ApiError('not_found');
  throw new ApiError('method_not_allowed', { headers: { Allow: [...allowed].sort().join(', ') } });
}
