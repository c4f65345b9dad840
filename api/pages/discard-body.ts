import type { Context } from 'koa';
import getRawBody from 'raw-body';
import type { Page } from './page';
import { pagesFor } from './pages';

/**
 * Maximum body size, bytes: more than any mail program sends (`List-Unsubscribe=One-Click`, as a form or multipart).
 */
const MAX_BODY = 16 * 1024;

/** Discards the body; returns a page when it is too large or broke off. */
export async function discardBody(ctx: Context): Promise<Page | null> {
  try {
    await getRawBody(ctx.req, { limit: MAX_BODY, length: ctx.get('Content-Length') || null });
    return null;
  } catch (error) {
    ctx.set('Connection', 'close');
    return (error as getRawBody.RawBodyError).type === 'entity.too.large'
      ? pagesFor(ctx).tooLarge
      : pagesFor(ctx).unreadable;
  }
}
