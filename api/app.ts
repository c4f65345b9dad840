import Koa, { type Middleware } from 'koa';
import type { ApiDeps } from './deps';
import { createDocs } from './docs/docs-pages';
import { ApiError } from './errors';
import { requestedHost } from './http/served-hosts';
import { authenticate } from './middleware/authenticate';
import { answerErrors } from './middleware/answer-errors';
import { logRequests } from './middleware/log-requests';
import { rateLimit } from './middleware/rate-limit';
import { serveRoutes } from './middleware/serve-routes';
import { unknownPages } from './pages/unknown-page';
import { routes } from './routes';
import type { ApiState } from './state';

const HOME = { path: '/', label: 'Start page' };
const DOCS = { path: '/docs', label: 'API documentation' };

/** The REST API of docs/contract.md, with its document and, if mounted, the public pages in front. */
export function createApi(deps: ApiDeps): Koa<ApiState> {
  const { refuseMethod, dispatch, refuse } = serveRoutes(deps, routes);
  const app = appOnHosts(deps);
  app.use(unknownPages([HOME, DOCS]));
  app.use(onServedHosts(createDocs(routes, deps)));
  if (deps.mount) app.use(onServedHosts(deps.mount));
  app.use(rateLimit(deps));
  app.use(authenticate(deps));
  app.use(refuseMethod);
  app.use(dispatch);
  app.use(refuse);
  return app;
}

/** The mounted pages alone, for when other processes serve the API. */
export function createPages(deps: Pick<ApiDeps, 'servesHost' | 'logger'> & { mount: Middleware }): Koa<ApiState> {
  const app = appOnHosts(deps);
  app.use(unknownPages([HOME]));
  app.use(onServedHosts(deps.mount));
  app.use(() => {
    throw new ApiError('not_found');
  });
  return app;
}

function appOnHosts(deps: Pick<ApiDeps, 'servesHost' | 'logger'>): Koa<ApiState> {
  const app = new Koa<ApiState>();
  // Errors after the response has begun: usually a caller that hung up.
  app.on('error', (err: unknown) => deps.logger.debug({ err }, 'connection failed'));
  app.use((ctx, next) => {
    ctx.state.hostServed = deps.servesHost(requestedHost(ctx.req));
    return next();
  });
  app.use(logRequests(deps.logger));
  app.use(answerErrors(deps.logger));
  return app;
}

/**
 * Not async, nor is any middleware before the API: each async function costs every request a promise and a turn of the
 * microtask queue.
 */
function onServedHosts(pages: Middleware): Middleware<ApiState> {
  return (ctx, next) => (ctx.state.hostServed ? (pages(ctx, next) as unknown) : next());
}
