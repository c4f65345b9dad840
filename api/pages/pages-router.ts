import { Router } from '@koa/router';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Keyring } from '../../domain/keyring';
import type { Stores } from '../../stores/ports';
import { UnavailableError } from '../../lib/errors';
import type { Logger } from '../../lib/logger';
import { answerPage } from './answer';
import { browserPage } from './browser-page';
import { clickPage } from './click-page';
import { addForms } from './forms/add-forms';
import type { FormDeps } from './forms/subscribe-page';
import { recipientFinder } from './find-recipient';
import { imagePage } from './image-page';
import { openPixel } from './open-pixel';
import type { Page } from './page';
import { pagesFor } from './pages';
import { signalRecorder } from './signal-recorder';
import type { RecorderDeps } from './signal-recorder';
import { unsubscribePage } from './unsubscribe-page';

export interface PagesDeps extends RecorderDeps {
  stores: Pick<Stores, 'messages' | 'contacts' | 'workspaces' | 'images'> & FormDeps['stores'];
  keyring: Keyring;
  rateLimiter: FormDeps['rateLimiter'];
  trustedHops: FormDeps['trustedHops'];
  publicUrl: () => string;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * The public pages of recipients (docs/architecture.md#signals): click redirect, open pixel, unsubscribe, and the mail
 * of a campaign; those of public forms; and images of mails. Mounted at the root before the API; it handles everything
 * below `/t`, `/u`, `/m`, `/i`, `/f` and `/c`, so that people never see the JSON of the API.
 */
export function createPagesRouter(deps: PagesDeps): Router {
  const { keyring } = deps;
  const record = signalRecorder(deps);
  const { ask, unsubscribe } = unsubscribePage({ findRecipient: recipientFinder(deps.stores), keyring, record });
  const router = new Router();

  router.use(answerFailures(deps.logger));
  router.get('/t/c/:token/:n', clickPage({ messages: deps.stores.messages, keyring, record }));
  router.all('/t/c/:token/:n', refuseMethod('GET, HEAD'));
  router.get('/t/o/:token', openPixel({ keyring, record }));
  router.all('/t/o/:token', refuseMethod('GET, HEAD'));
  router.get('/u/:token', show(ask));
  router.post('/u/:token', show(unsubscribe));
  router.all('/u/:token', refuseMethod('GET, HEAD, POST'));
  router.get('/m/:token', browserPage(deps));
  router.all('/m/:token', refuseMethod('GET, HEAD'));
  router.get('/i/:file', imagePage(deps.stores));
  router.all('/i/:file', refuseMethod('GET, HEAD'));
  router.get('/produk', (ctx) => answerPage(ctx, pagesFor(ctx).products));
  router.all('/produk', refuseMethod('GET, HEAD'));
  addForms(router, deps);
  for (const place of ['/t', '/u', '/m', '/i']) {
    router.all([place, `${place}/*rest`], (ctx) => answerPage(ctx, pagesFor(ctx).notFound));
  }
  return router;
}

/** Shows a page for server errors too, and logs each once. */
function answerFailures(logger: Pick<Logger, 'error'>): RouterMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (err) {
      logger.error({ err, method: ctx.method }, 'a public page failed');
      answerPage(ctx, { ...pagesFor(ctx).tryAgain, status: err instanceof UnavailableError ? 503 : 500 });
    }
  };
}

function show(make: (ctx: RouterContext) => Promise<Page>): RouterMiddleware {
  return async (ctx) => answerPage(ctx, await make(ctx));
}

function refuseMethod(allowed: string): RouterMiddleware {
  return (ctx) => {
    answerPage(ctx, pagesFor(ctx).methodNotAllowed);
    ctx.set('Allow', allowed);
  };
}
