import { Router, type RouterContext } from '@koa/router';
import { presentMail, presentMailWithContent } from './inbox-json';
import { faultPage, INBOX_PATH, listPage, mailPage, PAGE_POLICY, type View, VIEWS } from './inbox-pages';
import { readContent } from './mail-content';
import type { StoredMail } from './mail';
import type { Inbox } from './sandbox';

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 500;

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
  router.get('/:id/source', (ctx) => withMail(inbox, ctx, (mail) => answerSource(ctx, mail)));
  return router;
}

function answerList(inbox: Inbox, ctx: RouterContext): void {
  const limit = wholeNumber(ctx, 'limit', MAX_PAGE_SIZE);
  const before = wholeNumber(ctx, 'before', Number.MAX_SAFE_INTEGER);
  if (limit === null || before === null) return;
  const size = limit ?? PAGE_SIZE;
  const found = inbox.list({ limit: size + 1, ...(before && { before }) });
  const mails = found.slice(0, size);
  const older = found.length > size ? (mails.at(-1)?.id ?? null) : null;
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

function answerSource(ctx: RouterContext, mail: StoredMail): void {
  keepPrivate(ctx);
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = mail.source;
}

async function withMail(inbox: Inbox, ctx: RouterContext, answer: (mail: StoredMail) => unknown): Promise<void> {
  const { id = '' } = ctx.params;
  const mail = /^[1-9]\d{0,14}$/.test(id) ? inbox.get(Number(id)) : null;
  if (mail) await answer(mail);
  else refuse(ctx, 404, 'No such mail.');
}

/** The number in the query; undefined when absent; null when it is invalid and the request was refused. */
function wholeNumber(ctx: RouterContext, name: string, max: number): number | undefined | null {
  const text = ctx.query[name];
  if (text === undefined || text === '') return undefined;
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  refuse(ctx, 422, `The ${name} field must be a whole number from 1 to ${max}.`);
  return null;
}

function refuse(ctx: RouterContext, status: number, message: string): void {
  if (wantsJson(ctx)) answerJson(ctx, { message });
  else answerPage(ctx, faultPage(message));
  ctx.status = status;
}

/** Browsers ask for HTML; JSON goes to clients that ask for it and not for HTML. */
function wantsJson(ctx: RouterContext): boolean {
  return ctx.accepts('html', 'json') === 'json';
}

function answerJson(ctx: RouterContext, body: object): void {
  keepPrivate(ctx);
  ctx.body = body;
}

function answerPage(ctx: RouterContext, html: string): void {
  keepPrivate(ctx);
  ctx.set({
    'Content-Security-Policy': PAGE_POLICY,
    'X-Frame-Options': 'DENY',
    // A page opened from a mail gets no reference to this one.
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  ctx.type = 'html';
  ctx.body = html;
}

function keepPrivate(ctx: RouterContext): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Robots-Tag': 'noindex',
  });
}

/**
 * Makes links open a new tab, since the frame itself may not navigate. Inserted after the doctype, since the mail would
 * look different without one.
 */
function withNewTabs(html: string): string {
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}
