import type { RouterContext } from '@koa/router';
import { INBOX_PATH } from './page';
import { idOf, keepPrivate, refuse, wantsJson } from './page-answers';
import { isSameOrigin } from './same-origin';
import type { Inbox } from './sandbox';

/** Deletes one mail: 204, or for the form of a page, back to the list. */
export async function deleteMail(inbox: Inbox, ctx: RouterContext): Promise<void> {
  if (!isSameOrigin(ctx)) return refuseOthers(ctx);
  const id = idOf(ctx.params['id']);
  if (id === null || !(await inbox.delete(id))) return refuse(ctx, 404, 'Message not found.');
  answerDeleted(ctx, 1);
}

/** Deletes the mails that the page showed and those before them: `up_to` is the newest. */
export async function deleteAll(inbox: Inbox, ctx: RouterContext): Promise<void> {
  if (!isSameOrigin(ctx)) return refuseOthers(ctx);
  const last = idOf(String(ctx.query['up_to'] ?? ''));
  if (last === null) return refuse(ctx, 422, 'The up_to field must be the id of a message.');
  answerDeleted(ctx, await inbox.deleteUpTo(last));
}

const refuseOthers = (ctx: RouterContext): void => refuse(ctx, 403, 'Only a page of this inbox can do this.');

function answerDeleted(ctx: RouterContext, count: number): void {
  keepPrivate(ctx);
  if (ctx.method === 'DELETE' || wantsJson(ctx)) {
    ctx.status = 204;
    return;
  }
  ctx.redirect(`${INBOX_PATH}?deleted=${count}`);
  ctx.status = 303;
}
