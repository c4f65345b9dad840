import type { Context, Middleware } from 'koa';
import { isLocalVisitor } from '../http/local-visitor';
import { homePolicy, renderHome, type FirstSteps, type StartPage } from './render-start-page';

export interface HomeDeps {
  about: Omit<StartPage, 'steps'>;
  /**
   * The first steps for this visitor. `mayHaveKey`: a person on this machine looks, and not a program or a prefetch.
   */
  steps: (mayHaveKey: boolean) => Promise<FirstSteps>;
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  trustedHops: number;
}

/** Serves the page at `/` (docs/contract.md#start-page). Everything else is passed on. */
export function createHome({ about, steps, trustedHops }: HomeDeps): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return void (await next());
    const home = { ...about, steps: await steps(isVisit(ctx) && isLocalVisitor(ctx.req, trustedHops)) };
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': homePolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'X-Robots-Tag': 'noindex',
    });
    ctx.type = 'html';
    ctx.body = renderHome(home);
  };
}

const isVisit = (ctx: Context): boolean =>
  ctx.method === 'GET' &&
  ctx.get('Accept').includes('text/html') &&
  !/prefetch|prerender/i.test(ctx.get('Sec-Purpose'));
