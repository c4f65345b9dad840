import type { RouterContext } from '@koa/router';
import { faultPage, HOOKS_PATH, INBOX_PATH, PAGE_POLICY } from './page';

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 500;

/** The part of a list that a request asks for: `before` is the id of the last item on the previous page. */
export interface ListQuery {
  limit: number;
  before: number;
}

/** Reads `limit` and `before`; null when one is invalid and the request was refused. */
export function listQuery(ctx: RouterContext): ListQuery | null {
  const limit = wholeNumber(ctx, 'limit', MAX_PAGE_SIZE);
  const before = wholeNumber(ctx, 'before', Number.MAX_SAFE_INTEGER);
  if (limit === null || before === null) return null;
  return { limit: limit ?? PAGE_SIZE, before: before ?? Number.MAX_SAFE_INTEGER };
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

/** The id in a path; null when it is not one. */
export const idOf = (text = ''): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

export function refuse(ctx: RouterContext, status: number, message: string): void {
  if (wantsJson(ctx)) answerJson(ctx, { message });
  else answerPage(ctx, faultPage(ctx.path.startsWith(HOOKS_PATH) ? HOOKS_PATH : INBOX_PATH, message));
  ctx.status = status;
}

/** Browsers ask for HTML; JSON goes to clients that ask for it and not for HTML. */
export function wantsJson(ctx: RouterContext): boolean {
  return ctx.accepts('html', 'json') === 'json';
}

export function answerJson(ctx: RouterContext, body: object): void {
  keepPrivate(ctx);
  ctx.body = body;
}

export function answerPage(ctx: RouterContext, html: string): void {
  keepPrivate(ctx);
  ctx.set({
    'Content-Security-Policy': PAGE_POLICY,
    'X-Frame-Options': 'DENY',
    // Forms of the page name their origin then, and links to other sites get nothing.
    'Referrer-Policy': 'same-origin',
    // A page opened from a mail gets no reference to this one.
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  ctx.type = 'html';
  ctx.body = html;
}

/** Answers bytes that came from outside, as text that a browser does nothing with. */
export function answerRaw(ctx: RouterContext, bytes: Buffer): void {
  keepPrivate(ctx);
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = bytes;
}

export function keepPrivate(ctx: RouterContext): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Robots-Tag': 'noindex',
  });
}
