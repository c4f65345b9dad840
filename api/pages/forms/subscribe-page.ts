import type { RouterContext } from '@koa/router';
import type { Keyring } from '../../../domain/keyring';
import { DAY, SECOND, type Clock } from '../../../lib/clock';
import { subscribe } from '../../../operations/contacts/subscribe';
import type { Stores } from '../../../stores/ports';
import type { RateLimiter } from '../../../stores/ports/rate-limiter';
import { clientAddress, clientNetwork, widerNetwork } from '../../../lib/client-network';
import type { Page } from '../page';
import { FormPages } from './form-pages';
import { pageLanguage } from '../page-language';
import { readForm, redirectOf, wrongFields } from './read-form';

export interface FormDeps {
  stores: {
    audiences: Pick<Stores['audiences'], 'findByToken'>;
    workspaces: Pick<Stores['workspaces'], 'get'>;
    optIns: Pick<Stores['optIns'], 'subscribe' | 'find' | 'confirm'>;
  };
  keyring: Keyring;
  clock: Clock;
  rateLimiter: RateLimiter;
  /** Number of reverse proxies in front whose X-Forwarded-For is trusted. */
  trustedHops: number;
}

/** Forms a minute from one client address, and of one audience (docs/contract.md#public-form). */
const A_CLIENT = 20;
const AN_AUDIENCE = 300;
/** Confirmation mails that one network may cause by one form in a day. */
export const MAILS_OF_A_NETWORK = 50;

/**
 * `GET /f/<public token>` shows the form, `POST` takes it, also from a form on another site
 * (docs/contract.md#public-form). The answer does not show whether the address was known.
 */
export function subscribePage(deps: FormDeps) {
  const show = async (ctx: RouterContext): Promise<Page> => {
    const owner = await findOwner(deps, ctx.params['token'] ?? '');
    const pages = new FormPages(pageLanguage(ctx, owner?.workspace.language));
    return owner ? pages.form(owner) : pages.formNotFound;
  };

  const take = async (ctx: RouterContext): Promise<Page | { redirect: string }> => {
    const early = new FormPages(pageLanguage(ctx));
    const address = clientAddress(ctx.req, deps.trustedHops);
    const client = clientNetwork(address);
    if (await isTooMuch(deps, ctx, `form:${client}`, A_CLIENT)) return early.tooMany;
    const form = await readForm(ctx);
    if (typeof form === 'number') return early.unreadable(form);
    const owner = await findOwner(deps, ctx.params['token'] ?? '');
    if (!owner) return early.formNotFound;
    const language = pageLanguage(ctx, owner.workspace.language);
    const pages = new FormPages(language);
    const wrong = wrongFields(form, owner.audience);
    if (wrong.length > 0) return pages.form(owner, form, wrong);
    // Forms of bots subscribe nobody, and use nothing up.
    if (!form.trapped) {
      if (await isTooMuch(deps, ctx, `form-of:${owner.audience.id}`, AN_AUDIENCE)) return pages.tooMany;
      const mails = `form-mails:${owner.audience.id}:${widerNetwork(address)}`;
      const isDouble = owner.audience.optInMode === 'double';
      if (isDouble && (await isTooMuch(deps, ctx, mails, MAILS_OF_A_NETWORK, DAY))) return pages.tooManyToday;
      if (!(await subscribe(deps, owner.audience, form, language))) return pages.formNotFound;
    }
    const redirect = form.redirect === '' ? null : redirectOf(form.redirect, owner.audience);
    return redirect === null ? pages.thanks(owner) : { redirect };
  };

  return { show, take };
}

/** Null for an unknown token, and while the workspace is suspended. */
async function findOwner({ stores }: FormDeps, token: string) {
  const audience = await stores.audiences.findByToken(token);
  const workspace = audience && (await stores.workspaces.get(audience.workspaceId));
  return workspace && !workspace.suspended ? { audience, workspace } : null;
}

/** Counts one form; sets Retry-After when there were too many. */
async function isTooMuch(
  deps: FormDeps,
  ctx: RouterContext,
  caller: string,
  limit: number,
  window?: number,
): Promise<boolean> {
  const { exceeded, resetAt } = await deps.rateLimiter.take(caller, limit, window);
  if (exceeded) ctx.set('Retry-After', String(Math.max(1, Math.ceil((resetAt - deps.clock.now()) / SECOND))));
  return exceeded;
}
