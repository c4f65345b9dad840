import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { createApi, createPages } from '../../api/app';
import { bodyBudgets, type BodyBudgets } from '../../api/http/body-memory';
import type { BodyParser } from '../../api/http/body-parser';
import { requestedHost, servedHosts } from '../../api/http/served-hosts';
import { createMtaHook } from '../../api/mta-hook/mta-hook';
import { createPagesRouter } from '../../api/pages/pages-router';
import { createHooksRouter } from '../../sandbox/hooks/hooks';
import { createInboxRouter } from '../../sandbox/inbox';
import type { Sandbox } from '../../sandbox/sandbox';
import type { FindMessage } from '../../sandbox/shown-message';
import { demoHint, homePage } from './start-page';
import { hookSecrets } from './hook-secrets';
import { webhookTargets } from '../../operations/webhooks/webhook-targets';
import { KnownClients } from '../../domain/engagement/known-clients';
import { hasOwnPort } from '../../operations/config/origin';
import type { Role } from '../../operations/config/roles';
import type { Services } from '../shared-services';

/** Hosts of new webhooks that are looked up at a time. */
const REGISTERING_LOOKUPS = 50;

export interface WebParts {
  sandbox: Sandbox | null;
  bodyParser: BodyParser;
  /** What is served to people and programs that manage the service. */
  httpApps: (services: Services) => Middleware;
}

/**
 * What the HTTP port serves: the recipients' pages, the sandbox's inbox and hooks if there is one, and the REST API.
 */
export function serveWeb(services: Services, { sandbox, bodyParser, httpApps }: WebParts): RequestListener {
  const { config, clock, logger, engine, keyring, newId, publicUrl, rateLimiter } = services;
  const { trustedHops } = config;
  const { stores, log } = engine;
  const has = (role: Role): boolean => config.roles.includes(role);
  const pages = has('public')
    ? (createPagesRouter({
        stores,
        log,
        keyring,
        clock,
        newId,
        publicUrl,
        rateLimiter,
        trustedHops,
        logger,
        knownClients: new KnownClients(config.knownClients),
      }).routes() as Middleware)
    : pass;
  const sandboxPages = sandbox ? serveSandbox(services, sandbox) : pass;
  const bodies = bodyBudgets(config.bodyMemory);
  const hook = has('api') || has('mta-feedback') ? mtaHook(services, bodies) : pass;
  const home = has('api') || has('public') ? homePage(services, sandbox !== null) : pass;
  const dashboard = has('dashboard') && !hasOwnPort(config) ? httpApps(services) : pass;
  const [atPublicHost, atDashboard] = apart(services, pages, dashboard);
  const others = inOrder([home, hook, atPublicHost, sandboxPages, atDashboard]);
  // API calls skip all other routers.
  const mount: Middleware = (ctx, next) => (ctx.path.startsWith('/v1/') ? next() : (others(ctx, next) as unknown));
  const own = dashboard === pass || config.dashboardUrl === null ? [] : [hostOf(config.dashboardUrl)];
  const servesHost = servedHosts({ publicUrl, hosts: [...config.hosts, ...own], listensOn: config.httpHost });
  if (!has('api')) return listener(createPages({ servesHost, mount, logger }).callback());
  const api = createApi({
    stores,
    log,
    keyring,
    clock,
    newId,
    rateLimiter,
    mayAct: services.mayAct,
    bodies,
    bodyParser,
    ratePerMinute: config.apiRatePerMinute,
    publicUrl,
    servesHost,
    trustedHops,
    webhookTargets: webhookTargets(services, { lookups: REGISTERING_LOOKUPS }),
    logger,
    mayHintAtDemo: demoHint(services, sandbox !== null),
    guideFolder: services.programs && join(services.programs, '../dist-docs'),
    mount,
  });
  return listener(api.callback());
}

const hostOf = (url: string): string => new URL(url).hostname;

/**
 * The public pages and the dashboard, each at its own host only where the two have different ones: a link in a mail
 * must not lead to where the cookie of a session is valid (docs/dashboard.md#hosts).
 */
function apart(
  { publicUrl, dashboardUrl }: Services,
  pages: Middleware,
  dashboard: Middleware,
): readonly [Middleware, Middleware] {
  const isOfDashboard = (ctx: Context): boolean | null => {
    const own = hostOf(dashboardUrl());
    return own === hostOf(publicUrl()) ? null : requestedHost(ctx.req) === own;
  };
  return [
    (ctx, next) => (isOfDashboard(ctx) === true ? next() : (pages(ctx, next) as unknown)),
    (ctx, next) => (isOfDashboard(ctx) === false ? next() : (dashboard(ctx, next) as unknown)),
  ];
}

/** What the dashboard's own port serves: the dashboard and the management API. */
export function serveDashboard(services: Services, httpApps: WebParts['httpApps']): RequestListener {
  const { config, dashboardUrl, logger } = services;
  const servesHost = servedHosts({ publicUrl: dashboardUrl, hosts: config.hosts, listensOn: config.httpHost });
  return listener(createPages({ servesHost, mount: httpApps(services), logger }).callback());
}

function mtaHook({ config, engine, keyring, clock, logger, bounceRules }: Services, bodies: BodyBudgets): Middleware {
  const { stores, log } = engine;
  return createMtaHook({
    secret: config.hookSecret,
    rules: bounceRules,
    stores,
    log,
    keyring,
    clock,
    logger,
    bodies,
  });
}

/** Each passes on what is not its own. */
function inOrder(all: readonly Middleware[]): Middleware {
  return all.reduceRight<Middleware>(
    (rest, one) => (ctx, next) => one(ctx, () => rest(ctx, next) as Promise<unknown>) as unknown,
    pass,
  );
}

function serveSandbox(services: Services, sandbox: Sandbox): Middleware {
  const { clock, publicUrl } = services;
  const inbox = createInboxRouter(sandbox, findMessage(services)).routes() as Middleware;
  const findSecrets = hookSecrets(services);
  const hooks = createHooksRouter({ hooks: sandbox.hooks, clock, findSecrets, publicUrl }).routes() as Middleware;
  return inOrder([inbox, hooks]);
}

const findMessage =
  ({ engine: { stores } }: Services): FindMessage =>
  async (id) => {
    const message = await stores.messages.get(id);
    return message && { message, history: await stores.messages.history(id) };
  };

/** Serves nothing. */
export const pass: Middleware = (_ctx, next) => next();

const listener =
  (handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>): RequestListener =>
  (req, res) =>
    void handle(req, res);
