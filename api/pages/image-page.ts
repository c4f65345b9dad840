import type { RouterContext } from '@koa/router';
import { imageFile } from '../../domain/images/image';
import type { Stores } from '../../stores/ports';
import { answerPage } from './answer';
import { pagesFor } from './pages';

/** An image can do nothing else, whatever else its bytes may look like. */
const HEADERS = {
  // The address follows from the content, so that what lies there never changes.
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Mail is read on other sites.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** `GET /i/<id>.<ending>`: an image that a mail shows (docs/campaigns.md#images). Nothing is recorded. */
export function imagePage({ images }: Pick<Stores, 'images'>): (ctx: RouterContext) => Promise<void> {
  return async function showImage(ctx) {
    const file = ctx.params['file'] ?? '';
    const [id = ''] = file.split('.');
    const kept = /^[0-9a-f]{32}$/.test(id) ? await images.content(id) : null;
    if (!kept || imageFile(kept.image) !== file) {
      answerPage(ctx, pagesFor(ctx).notFound);
      return;
    }
    ctx.set({ ...HEADERS, 'Content-Type': kept.image.type });
    ctx.body = Buffer.from(kept.content);
  };
}
