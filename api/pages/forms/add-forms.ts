import type { Router, RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { answerPage, keepPrivate } from '../answer';
import { confirmPage } from './confirm-page';
import { FormPages } from './form-pages';
import { pageLanguage } from '../page-language';
import { subscribePage, type FormDeps } from './subscribe-page';

/** Adds the pages of public forms (`/f`) and of confirmations (`/c`) to the router. */
export function addForms(router: Router, deps: FormDeps): void {
  const { show, take } = subscribePage(deps);
  const { ask, confirm } = confirmPage(deps);
  router.get('/f/:token', async (ctx) => answerPage(ctx, await show(ctx)));
  router.post('/f/:token', async (ctx) => {
    const answer = await take(ctx);
    if ('redirect' in answer) leadOn(ctx, answer.redirect);
    else answerPage(ctx, answer);
  });
  router.all('/f/:token', refuseMethod);
  router.get('/c/:token', async (ctx) => answerPage(ctx, await ask(ctx)));
  router.post('/c/:token', async (ctx) => answerPage(ctx, await confirm(ctx)));
  router.all('/c/:token', refuseMethod);
  router.all(['/f', '/f/*rest'], (ctx) => answerPage(ctx, pagesOf(ctx).formNotFound));
  router.all(['/c', '/c/*rest'], (ctx) => answerPage(ctx, pagesOf(ctx).linkNotFound));
}

const pagesOf = (ctx: Context): FormPages => new FormPages(pageLanguage(ctx));

function leadOn(ctx: Context, redirect: string): void {
  keepPrivate(ctx);
  ctx.status = 303;
  ctx.set('Location', redirect);
  ctx.body = '';
}

function refuseMethod(ctx: RouterContext): void {
  answerPage(ctx, pagesOf(ctx).methodNotAllowed);
  ctx.set('Allow', 'GET, HEAD, POST');
}
