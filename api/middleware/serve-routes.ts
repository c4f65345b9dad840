import Router from '@koa/router';
import type { Next } from 'koa';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { bodyMemory } from '../http/body-memory';
import { readBody } from '../http/read-body';
import { Answer, API_PREFIX, type Route } from '../route';
import type { ApiContext, ApiState } from '../state';
import { authorize } from './authorize';

/**
 * Serves the routes: 404 and 405 first, then authorization, then the route itself (order:
 * docs/contract.md#order-of-checks).
 */
export function serveRoutes(deps: ApiDeps, routes: readonly Route[]) {
  const router = new Router<ApiState>({ prefix: API_PREFIX, sensitive: true, strict: true });
  const fixed = new Map<string, (ctx: ApiContext) => Promise<void>>();
  for (const { method, path, ...policy } of routes) {
    const serve = async (ctx: ApiContext): Promise<void> => {
      const { key, workspace, moduleOpen } = authorize(policy, ctx.state, deps.publicUrl());
      const memory = bodyMemory(deps.bodies, workspace.id);
      try {
        const answer = await policy.handle(deps, {
          key,
          workspace,
          moduleOpen,
          params: (ctx['params'] ?? {}) as Record<string, string>,
          query: ctx.querystring,
          headers: ctx.req.headers,
          readBody: () => readBody(ctx.req, { memory, parser: deps.bodyParser, shape: policy.body?.shape ?? {} }),
        });
        // Bypasses the delegates of Koa's context, which cost more than the setters they call.
        const isOther = answer instanceof Answer;
        ctx.response.status = isOther ? answer.status : policy.status;
        ctx.response.body = isOther ? answer.body : answer;
      } finally {
        memory.release();
      }
    };
    if (!path.includes(':')) fixed.set(`${method} ${API_PREFIX}${path}`, serve);
    router.register(path, [method], serve);
  }
  const dispatch = router.routes() as unknown as (ctx: ApiContext, next: Next) => Promise<unknown>;
  return {
    refuseMethod: refuseMethod(routes),
    /** A path without parameters is looked up: the router tries the pattern of every route. */
    dispatch: (ctx: ApiContext, next: Next) => fixed.get(`${ctx.req.method} ${ctx.path}`)?.(ctx) ?? dispatch(ctx, next),
    refuse,
  };
}

/**
 * 405 for a path without parameters when another route matches it only by a parameter: `/contacts/engagement` is no id,
 * so the methods of `/contacts/:id` do not count there.
 */
function refuseMethod(routes: readonly Route[]) {
  const allowed = new Map<string, Set<string>>();
  for (const { path, method } of routes.filter((route) => !route.path.includes(':'))) {
    const methods = allowed.get(API_PREFIX + path) ?? new Set();
    allowed.set(API_PREFIX + path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  return (ctx: ApiContext, next: Next): Promise<unknown> => {
    const methods = allowed.get(ctx.path);
    if (methods && !methods.has(ctx.method)) throw methodNotAllowed(methods);
    return next();
  };
}

/**
 * Runs when no route matched: 405 with the methods the path allows, else 404. OPTIONS is not supported, since there is
 * no CORS.
 */
function refuse(ctx: ApiContext, _next: Next): never {
  const matched = (ctx['matched'] ?? []) as { methods: string[] }[];
  const allowed = new Set(matched.flatMap((layer) => layer.methods));
  if (allowed.size === 0) throw new ApiError('not_found');
  throw methodNotAllowed(allowed);
}

function methodNotAllowed(allowed: ReadonlySet<string>): ApiError {
  return new ApiError('method_not_allowed', { headers: { Allow: [...allowed].sort().join(', ') } });
}
