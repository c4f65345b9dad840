import type { Context } from 'koa';
import { readUrl } from '../lib/read-url';

/**
 * True when a request that changes something comes from our own page, or from a program that is no browser. The pages
 * need no key, so a page of another site could otherwise send it for whoever has it open.
 */
export function isSameOrigin(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('Origin');
  return origin === '' || readUrl(origin)?.host === ctx.host;
}
