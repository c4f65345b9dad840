import type { RouterContext } from '@koa/router';
import { hintOf } from '../../../domain/addresses/address-hint';
import { readConfirmToken, type Confirmable } from '../../../domain/contacts/confirm-token';
import { confirmState } from '../../../domain/contacts/opt-in';
import { confirmMembership } from '../../../operations/contacts/subscribe';
import { discardBody } from '../discard-body';
import type { Page } from '../page';
import { FormPages, type Subscriber } from './form-pages';
import { pageLanguage } from '../page-language';
import type { FormDeps } from './subscribe-page';

/**
 * `GET /c/<token>` only asks, since scanners and previews follow links; `POST` confirms
 * (docs/contract.md#double-opt-in). The signed link is the proof, so the body is ignored.
 */
export function confirmPage(deps: FormDeps) {
  const { stores, keyring, clock } = deps;
  const aboutOf = (ctx: RouterContext): Confirmable | null => readConfirmToken(keyring, ctx.params['token'] ?? '');

  const ask = async (ctx: RouterContext): Promise<Page> => {
    const pages = new FormPages(pageLanguage(ctx));
    const about = aboutOf(ctx);
    if (!about) return pages.linkNotFound;
    const found = await findSubscriber(deps, about);
    if (!found) return pages.expired;
    const own = new FormPages(pageLanguage(ctx, found.subscriber.workspace.language));
    const state = confirmState(found.member, found.contact, clock.now());
    if (state === 'pending') return own.askToConfirm(found.subscriber);
    return state === 'before' ? own.confirmedBefore(found.subscriber) : own.expired;
  };

  const confirm = async (ctx: RouterContext): Promise<Page> => {
    const pages = new FormPages(pageLanguage(ctx));
    const about = aboutOf(ctx);
    if (!about) return pages.linkNotFound;
    const fault = await discardBody(ctx);
    if (fault) return fault;
    const outcome = await confirmMembership(stores.optIns, about, clock.now());
    const found = outcome === null || outcome === 'expired' ? null : await findSubscriber(deps, about);
    if (!found) return pages.expired;
    const own = new FormPages(pageLanguage(ctx, found.subscriber.workspace.language));
    return outcome === 'before' ? own.confirmedBefore(found.subscriber) : own.confirmed(found.subscriber);
  };

  return { ask, confirm };
}

async function findSubscriber({ stores }: FormDeps, about: Confirmable) {
  const found = await stores.optIns.find(about);
  const workspace = found && (await stores.workspaces.get(about.workspaceId));
  if (!workspace) return null;
  const { audience, contact, member } = found;
  const subscriber: Subscriber = { audience, workspace, address: hintOf(contact.email) };
  return { subscriber, contact, member };
}
