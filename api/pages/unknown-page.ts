import type { Next } from 'koa';
import { ApiError } from '../errors';
import { API_PREFIX } from '../route';
import type { ApiContext } from '../state';
import { answerPage } from './answer';
import type { PageLink } from './page';

/**
 * Answers a person who asked for a path that does not exist with a page that leads on, 404. Programs get the JSON of
 * the API, and so does every request below its prefix or with a key (docs/contract.md#start-page).
 */
export function unknownPages(places: readonly PageLink[]) {
  return function showUnknown(ctx: ApiContext, next: Next): Promise<unknown> {
    if (!isPerson(ctx)) return next();
    return next().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.body.code !== 'not_found') throw error;
      answerPage(ctx, {
        status: error.status,
        heading: 'Page not found',
        paragraphs: [['There is no page at ', { strong: ctx.path }, '.']],
        links: places.filter(({ path }) => path !== ctx.path),
        language: 'en',
      });
      ctx.vary('Accept');
    });
  };
}

const isPerson = (ctx: ApiContext): boolean =>
  ctx.state.hostServed &&
  // First: the target of another method need not be a path.
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  ctx.path !== API_PREFIX &&
  !ctx.path.startsWith(`${API_PREFIX}/`) &&
  ctx.req.headers.authorization === undefined &&
  ctx.accepts('json', 'html') === 'html';
