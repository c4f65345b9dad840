import { extname } from 'node:path';
import type { Context, Middleware } from 'koa';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { apiDocument } from '../openapi/document';
import { API_PREFIX, type Route } from '../route';
import { Assets } from './assets';
import { Guide, GUIDE } from './guide';
import { answerPacked, pack, type Packed } from '../http/packed';
import { contentSecurityPolicy, docsPage } from './page';

const DOCUMENT = `${API_PREFIX}/openapi.json`;
const DOCS = '/docs';
const ASSET = /^\/docs\/([0-9a-f]{12})\/([\w.-]+)$/;
const REVALIDATE = 'no-cache';
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the contract without a key and outside the rate limit: the OpenAPI document at `/v1/openapi.json`, and a page
 * to read and try it at `/docs`, including its assets. Below it is the guide, where it was built. Passes every other
 * request on.
 */
export function createDocs(
  routes: readonly Route[],
  { publicUrl, mayHintAtDemo, guideFolder = null }: Pick<ApiDeps, 'publicUrl' | 'mayHintAtDemo' | 'guideFolder'>,
): Middleware {
  const document = documentOf(routes, publicUrl);
  const assets = new Assets();
  const guide = new Guide(guideFolder);
  const answer = async (ctx: Context, path: string): Promise<void> => {
    readOnly(ctx);
    if (path === DOCUMENT) return answerPacked(ctx, await document(), 'application/json; charset=utf-8', REVALIDATE);
    if (path === `${DOCS}/`) return ctx.redirect('../docs');
    if (path === DOCS) {
      const hasDemo = (await mayHintAtDemo?.(ctx.req)) ?? false;
      return answerPage(ctx, docsPage(`docs/${await assets.key()}`, hasDemo));
    }
    if (path === GUIDE || path.startsWith(`${GUIDE}/`)) return guide.answer(ctx);
    await answerAsset(ctx, assets);
  };
  return (ctx, next) => {
    const { path } = ctx;
    const isOurs = path === DOCUMENT || path === DOCS || path.startsWith(`${DOCS}/`);
    return isOurs ? answer(ctx, path) : next();
  };
}

/** The document, built once per public URL, which may become known only after the start. */
function documentOf(routes: readonly Route[], publicUrl: () => string): () => Promise<Packed> {
  let made: { url: string; packed: Promise<Packed> } | undefined;
  return () => {
    const url = publicUrl();
    if (made?.url !== url) made = { url, packed: pack(JSON.stringify(apiDocument(routes, url))) };
    return made.packed;
  };
}

function readOnly(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
}

async function answerPage(ctx: Context, page: string): Promise<void> {
  ctx.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  });
  answerPacked(ctx, await pack(page), 'html', REVALIDATE);
}

/**
 * A page of another version may request an asset under its own key: it gets the current asset, but not cached for ever.
 */
async function answerAsset(ctx: Context, assets: Assets): Promise<void> {
  const [, key, name = ''] = ASSET.exec(ctx.path) ?? [];
  const asset = await assets.get(name);
  if (!asset) throw new ApiError('not_found');
  answerPacked(ctx, asset, extname(name), key === (await assets.key()) ? FOR_EVER : REVALIDATE);
}
