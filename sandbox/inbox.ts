import { Router, type RouterContext } from '@koa/router';
import { answerList } from './inbox-list';
import { deleteAll, deleteMail } from './inbox-deletion';
import { presentMailWithContent } from './inbox-json';
import { mailPage, type View, VIEWS } from './inbox-pages';
import { readContent } from './mail-content';
import type { StoredMail } from './mail';
import { INBOX_PATH } from './page';
import { answerJson, answerPage, answerRaw, idOf, keepPrivate, refuse, wantsJson } from './page-answers';
import type { Inbox } from './sandbox';
import { findShown, presentShown, type FindMessage } from './shown-message';

/**
 * Policy for the mail itself: no script, no form, no access to our window, nothing from other hosts; its links may open
 * a new tab. The open pixel is ours and loads, as it would in a mail client.
 */
const MAIL_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'unsafe-inline'",
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** No message store: every mail is shown without its message. */
const findNone: FindMessage = async () => null;

/**
 * The inbox of the sandbox at `/sandbox/inbox`: the list with a search, what was refused, a mail (HTML, text, headers,
 * source) beside its message, and all as JSON with `Accept: application/json`. Mails can be deleted. The prefix is part
 * of the router. Access must have been checked before.
 */
export function createInboxRouter(inbox: Inbox, find: FindMessage = findNone): Router {
  const router = new Router({ prefix: INBOX_PATH });
  router.get('/', (ctx) => answerList({ inbox, find }, ctx));
  router.post('/delete', (ctx) => deleteAll(inbox, ctx));
  router.get('/:id', (ctx) => withMail(inbox, ctx, (mail) => answerMail(find, ctx, mail)));
  router.delete('/:id', (ctx) => deleteMail(inbox, ctx));
  router.post('/:id/delete', (ctx) => deleteMail(inbox, ctx));
  router.get('/:id/html', (ctx) => withMail(inbox, ctx, (mail) => answerHtml(ctx, mail)));
  router.get('/:id/source', (ctx) => withMail(inbox, ctx, (mail) => answerRaw(ctx, mail.source)));
  return router;
}

async function answerMail(find: FindMessage, ctx: RouterContext, mail: StoredMail): Promise<void> {
  const [content, shown] = await Promise.all([readContent(mail.source), findShown(find, mail)]);
  const requested = VIEWS.find((view) => view === ctx.query['view']) satisfies View | undefined;
  if (wantsJson(ctx)) {
    answerJson(ctx, { ...presentMailWithContent(mail, content), ...(shown && { message: presentShown(shown) }) });
  } else answerPage(ctx, mailPage({ mail, content, shown }, requested ?? null, ctx.host));
}

async function answerHtml(ctx: RouterContext, mail: StoredMail): Promise<void> {
  const { html } = await readContent(mail.source);
  if (html === null) return refuse(ctx, 404, 'This message has no HTML part.');
  keepPrivate(ctx);
  ctx.set('Content-Security-Policy', MAIL_POLICY);
  ctx.type = 'html';
  ctx.body = withNewTabs(html);
}

async function withMail(inbox: Inbox, ctx: RouterContext, answer: (mail: StoredMail) => unknown): Promise<void> {
  const id = idOf(ctx.params['id']);
  const mail = id === null ? null : inbox.get(id);
  if (mail) await answer(mail);
  else refuse(ctx, 404, 'Message not found.');
}

/**
 * Makes links open a new tab, since the frame itself may not navigate. Inserted after the doctype, since the mail would
 * look different without one.
 */
function withNewTabs(html: string): string {
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${doctype}<base target="_blank">${html.slice(doctype.length)}`;
}
