import { Router, type RouterContext } from '@koa/router';
import { presentMail, presentMailWithContent } from './inbox-json';
import { listPage, mailPage, type View, VIEWS } from './inbox-pages';
import { readContent } from './mail-content';
import type { StoredMail } from './mail';
import { INBOX_PATH } from './page';
import { answerJson, answerPage, answerRaw, idOf, keepPrivate, listQuery, refuse, wantsJson } from './page-answers';
import type { Inbox } from './sandbox';

/**
 * Policy for the mail itself: no script, no form, no access to our window, nothing from other hosts; its links may open
 * a new tab. The open pixel is ours and loads, as it would in a mail client.
 */
const MAIL_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'unsafe-inline'",
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * The inbox of the sandbox at `/sandbox/inbox`: the list, a mail (HTML, text, headers, source), and both as JSON with
 * `Accept: application/json`. The prefix is part of the router. Access must have been checked before.
 */
export function createInboxRouter(inbox: Inbox): Router {
  const router = new Router({ prefix: INBOX_PATH });
  router.get('/', (ctx) => answerList(inbox, ctx));
  router.get('/:id', (ctx) => withMail(inbox, ctx, (mail) => answerMail(ctx, mail)));
  router.get('/:id/html', (ctx) => withMail(inbox, ctx, (mail) => answerHtml(ctx, mail)));
  router.get('/:id/source', (ctx) => withMail(inbox, ctx, (mail) => answerRaw(ctx, mail.source)));
  return router;
}

function answerList(inbox: Inbox, ctx: RouterContext): void {
  const query = listQuery(ctx);
  if (!query) return;
  const found = inbox.list({ ...query, limit: query.limit + 1 });
  const mails = found.slice(0, query.limit);
  const older = found.length > query.limit ? (mails.at(-1)?.id ?? null) : null;
  const total = inbox.total();
  if (wantsJson(ctx)) answerJson(ctx, { data: mails.map(presentMail), total, next_before: older });
  else answerPage(ctx, listPage(mails, { total, older, origin: `${ctx.protocol}://${ctx.host}` }));
}

async function answerMail(ctx: RouterContext, mail: StoredMail): Promise<void> {
  const content = await readContent(mail.source);
  const requested = VIEWS.find((view) => view === ctx.query['view']) satisfies View | undefined;
  if (wantsJson(ctx)) answerJson(ctx, presentMailWithContent(mail, content));
  else answerPage(ctx, mailPage(mail, content, requested ?? null));
}

async function answerHtml(ctx: RouterContext, mail: StoredMail): Promise<void> {
  const { html } = await readContent(mail.source);
  if (html === null) return refuse(ctx, 404, 'This mail has no HTML part.');
  keepPrivate(ctx);
  ctx.set('Content-Security-Policy', MAIL_POLICY);
  ctx.type = 'html';
  ctx.body = withNewTabs(html);
}

async function withMail(inbox: Inbox, ctx: RouterContext, answer: (mail: StoredMail) => unknown): Promise<void> {
  const id = idOf(ctx.params['id']);
  const mail = id === null ? null : inbox.get(id);
  if (mail) await answer(mail);
  else refuse(ctx, 404, 'No such mail.');
}

/**
 * Makes links open a new tab, since the frame itself may not navigate. Inserted after the doctype, since the mail would
 * look different without one.
 */
function withNewTabs(html: string): string {
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}
