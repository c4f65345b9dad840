import { Router, type RouterContext } from '@koa/router';
import { HOOKS_PATH } from '../page';
import { answerJson, answerPage, answerRaw, idOf, listQuery, refuse, wantsJson } from '../page-answers';
import { presentHook, presentRequests } from './hook-json';
import { hookPage, hooksPage } from './hook-pages';
import type { HookStore } from './hook-store';
import { receiveRequest, type ReceiveDeps } from './receive-request';

export interface HooksDeps extends ReceiveDeps {
  hooks: HookStore;
  /** The base of the hooks' URLs. */
  publicUrl: () => string;
}

/** Requests on the page of all hooks. */
const NEWEST = 20;
/** No control or invisible characters, and no slash. */
const NAME = /^[^\p{C}/]{1,200}$/u;

/**
 * The hooks of the sandbox at `/sandbox/hooks/<any name>`: receivers of webhooks that verify, keep and show what came.
 * The pages answer JSON with `Accept: application/json`, as the inbox does. The prefix is part of the router. Access
 * must have been checked before.
 */
export function createHooksRouter(deps: HooksDeps): Router {
  const router = new Router({ prefix: HOOKS_PATH });
  router.get('/', (ctx) => answerHooks(ctx, deps));
  router.get('/:name', (ctx) => withName(ctx, (name) => answerHook(ctx, name, deps)));
  router.post('/:name', (ctx) => withName(ctx, (name) => receiveRequest(ctx, name, deps)));
  router.get('/:name/:id/body', (ctx) => withName(ctx, (name) => answerBody(ctx, name, deps)));
  return router;
}

async function withName(ctx: RouterContext, answer: (name: string) => unknown): Promise<void> {
  const { name = '' } = ctx.params;
  if (NAME.test(name)) await answer(name);
  else refuse(ctx, 404, 'No such hook.');
}

function answerHooks(ctx: RouterContext, { hooks, publicUrl }: HooksDeps): void {
  const found = hooks.hooks();
  if (wantsJson(ctx)) return answerJson(ctx, { data: found.map(presentHook) });
  answerPage(ctx, hooksPage(found, hooks.list(null, NEWEST, Number.MAX_SAFE_INTEGER), publicUrl()));
}

function answerHook(ctx: RouterContext, name: string, { hooks, publicUrl }: HooksDeps): void {
  const query = listQuery(ctx);
  if (!query) return;
  const found = hooks.list(name, query.limit + 1, query.before);
  const requests = found.slice(0, query.limit);
  const older = found.length > query.limit ? (requests.at(-1)?.id ?? null) : null;
  const facts = { total: hooks.count(name), older };
  if (wantsJson(ctx)) answerJson(ctx, presentRequests(requests, facts));
  else answerPage(ctx, hookPage(name, requests, { ...facts, publicUrl: publicUrl() }));
}

function answerBody(ctx: RouterContext, name: string, { hooks }: HooksDeps): void {
  const id = idOf(ctx.params['id']);
  const body = id === null ? null : hooks.body(name, id);
  if (body) answerRaw(ctx, body);
  else refuse(ctx, 404, 'No such request.');
}
