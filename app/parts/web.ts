import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { createApi, createPages } from '../../api/app';
import { bodyBudgets } from '../../api/http/body-memory';
import type { BodyParser } from '../../api/http/body-parser';
import { servedHosts } from '../../api/http/served-hosts';
import { createPagesRouter } from '../../api/pages/pages-router';
import { createHooksRouter } from '../../sandbox/hooks/hooks';
import { createInboxRouter } from '../../sandbox/inbox';
import type { Sandbox } from '../../sandbox/sandbox';
import { hookSecrets } from './hook-secrets';
import { webhookTargets } from './webhook-targets';
import type { Role } from '../config/roles';
import type { Services } from '../services';

/** Hosts of new webhooks that are looked up at a time. */
const REGISTERING_LOOKUPS = 50;

/** What the HTTP port serves: the recipients' pages, the sandbox's inbox and hooks if there is one, and the REST API. */
export function serveWeb(services: Services, sandbox: Sandbox | null, bodyParser: BodyParser): RequestListener {
  const { config, clock, logger, engine, keyring, newId, publicUrl, rateLimiter } = services;
  const { stores, log } = engine;
  const has = (role: Role): boolean => config.roles.includes(role);
  const pages = has('public')
    ? (createPagesRouter({ stores, log, keyring, clock, newId, publicUrl, logger }).routes() as Middleware)
    : pass;
  const sandboxPages = sandbox ? serveSandbox(services, sandbox) : pass;
  // API calls skip all other routers.
  const mount: Middleware = (ctx, next) =>
    ctx.path.startsWith('/v1/') ? next() : (pages(ctx, () => sandboxPages(ctx, next) as Promise<unknown>) as unknown);
  const servesHost = servedHosts({ publicUrl, hosts: config.hosts, listensOn: config.httpHost });
  if (!has('api')) return listener(createPages({ servesHost, mount, logger }).callback());
  const api = createApi({
    stores,
    log,
    keyring,
    clock,
    newId,
    rateLimiter,
    bodies: bodyBudgets(config.bodyMemory),
    bodyParser,
    ratePerMinute: config.apiRatePerMinute,
    publicUrl,
    servesHost,
    trustedHops: config.trustedHops,
    webhookTargets: webhookTargets(services, { lookups: REGISTERING_LOOKUPS }),
    logger,
    mount,
  });
  return listener(api.callback());
}

function serveSandbox(services: Services, sandbox: Sandbox): Middleware {
  const { clock, publicUrl } = services;
  const inbox = createInboxRouter(sandbox).routes() as Middleware;
  const findSecrets = hookSecrets(services);
  const hooks = createHooksRouter({ hooks: sandbox.hooks, clock, findSecrets, publicUrl }).routes() as Middleware;
  return (ctx, next) => inbox(ctx, () => hooks(ctx, next) as Promise<unknown>) as unknown;
}

const pass: Middleware = (_ctx, next) => next();

const listener =
  (handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>): RequestListener =>
  (req, res) =>
    void handle(req, res);
