import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import { createApi } from '../api/app';
import { servedHosts } from '../api/http/served-hosts';
import { createPagesRouter } from '../api/pages/pages-router';
import { createInboxRouter } from '../sandbox/inbox';
import type { Sandbox } from '../sandbox/sandbox';
import type { Services } from './services';

/** What the HTTP port serves: recipients' pages, the sandbox's inbox where there is one, and the REST API. */
export function serveWeb(services: Services, sandbox: Sandbox | null): RequestListener {
  const { config, clock, logger, engine, keyring, newId, publicUrl, rateLimiter } = services;
  const { stores, log } = engine;
  const pages = createPagesRouter({ stores, log, keyring, clock, newId, logger }).routes() as Middleware;
  const inbox = sandbox ? (createInboxRouter(sandbox).routes() as Middleware) : null;
  const mount: Middleware = async (ctx, next) => {
    // The API's own calls pay for no other router.
    if (ctx.path.startsWith('/v1/')) {
      await next();
      return;
    }
    await pages(ctx, async () => {
      await (inbox ? inbox(ctx, next) : next());
    });
  };
  const api = createApi({
    stores,
    log,
    keyring,
    clock,
    newId,
    rateLimiter,
    ratePerMinute: config.apiRatePerMinute,
    publicUrl,
    servesHost: servedHosts({ publicUrl, hosts: config.hosts, listensOn: config.httpHost }),
    trustedHops: config.trustedHops,
    logger,
    mount,
  });
  const handle = api.callback();
  return (req, res) => void handle(req, res);
}
