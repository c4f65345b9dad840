import type { RouterContext } from '@koa/router';
import { apiTime, presentMail } from './inbox-json';
import { listPage, refusedPage, type ListFacts } from './inbox-pages';
import { answerJson, answerPage, listQuery, wantsJson, type ListQuery } from './page-answers';
import type { RefusedMail } from './refused-mails';
import type { Inbox } from './sandbox';
import { findShown, presentShown, type FindMessage, type ShownMessage } from './shown-message';

interface ListDeps {
  inbox: Inbox;
  find: FindMessage;
}

const MAX_SEARCH = 200;

/** The list of mails, `q` for those that contain a text, or with `show=refused` of what was refused. */
export async function answerList(deps: ListDeps, ctx: RouterContext): Promise<void> {
  const query = listQuery(ctx);
  if (!query) return;
  if (ctx.query['show'] === 'refused') await answerRefused(deps, ctx, query);
  else await answerMails(deps, ctx, query);
}

async function answerMails({ inbox, find }: ListDeps, ctx: RouterContext, query: ListQuery): Promise<void> {
  const { q } = ctx.query;
  const search = (typeof q === 'string' ? q : '').trim().slice(0, MAX_SEARCH);
  const { items: mails, older } = page(inbox.list({ ...query, search, limit: query.limit + 1 }), query.limit);
  const total = inbox.total(search);
  if (wantsJson(ctx)) return answerJson(ctx, { data: mails.map(presentMail), total, next_before: older });
  const facts = { ...factsOf(inbox, ctx, older), total, search, origin: `${ctx.protocol}://${ctx.host}` };
  answerPage(ctx, listPage(await withMessages(find, mails), facts));
}

async function answerRefused({ inbox, find }: ListDeps, ctx: RouterContext, query: ListQuery): Promise<void> {
  const { items, older } = page(inbox.refused.list(query.limit + 1, query.before), query.limit);
  const refusals = await withMessages(find, items);
  const facts = factsOf(inbox, ctx, older);
  if (wantsJson(ctx)) {
    answerJson(ctx, { data: refusals.map(presentRefused), total: facts.refused, next_before: older });
  } else answerPage(ctx, refusedPage(refusals, facts));
}

/** One more than the limit was asked for: it tells whether a page follows. */
function page<T extends { id: number }>(found: readonly T[], limit: number): { items: T[]; older: number | null } {
  const items = found.slice(0, limit);
  return { items, older: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}

const withMessages = <T extends { envid: string | null }>(
  find: FindMessage,
  mails: readonly T[],
): Promise<(T & { shown: ShownMessage | null })[]> =>
  Promise.all(mails.map(async (mail) => ({ ...mail, shown: await findShown(find, mail) })));

function factsOf(inbox: Inbox, ctx: RouterContext, older: number | null): ListFacts {
  const deleted = /^\d{1,9}$/.exec(String(ctx.query['deleted'] ?? ''))?.[0];
  return {
    received: inbox.total(),
    refused: inbox.refused.count(),
    older,
    here: ctx.path + (deleted === undefined ? ctx.search : ''),
    notice: deleted === undefined ? null : `${deleted} ${deleted === '1' ? 'message was' : 'messages were'} deleted.`,
  };
}

const presentRefused = (mail: RefusedMail & { shown: ShownMessage | null }): object => ({
  id: mail.id,
  to: mail.recipient,
  message_id: mail.envid,
  reason: mail.reason,
  tries: mail.tries,
  first_at: apiTime(mail.firstAt),
  last_at: apiTime(mail.lastAt),
  envelope: { from: mail.mailFrom },
  ...(mail.shown && { message: presentShown(mail.shown) }),
});
