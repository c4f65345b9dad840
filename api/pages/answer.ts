import type { Context } from 'koa';
import type { Page } from './page';
import { contentSecurityPolicy, renderPage } from './render-page';

/** Keeps a response under a secret link from being stored, indexed, or named to the next site. */
export function keepPrivate(ctx: Context): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  });
}

/** Responds with a page. */
export function answerPage(ctx: Context, page: Page): void {
  keepPrivate(ctx);
  ctx.set({ 'Content-Security-Policy': contentSecurityPolicy(page), 'X-Frame-Options': 'DENY' });
  if (page.language) ctx.set({ 'Content-Language': page.language, Vary: 'Accept-Language' });
  if (page.status === 503) ctx.set('Retry-After', '30');
  ctx.status = page.status;
  ctx.type = 'html';
  ctx.body = renderPage(page);
}
