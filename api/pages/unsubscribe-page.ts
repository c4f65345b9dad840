import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import type { Keyring } from '../../domain/keyring';
import { readLinkToken } from '../../domain/message-tokens';
import type { Page } from './page';
import { pages } from './pages';
import type { FindRecipient } from './find-recipient';
import type { RecordSignal } from './signal-recorder';

export interface UnsubscribeDeps {
  findRecipient: FindRecipient;
  keyring: Keyring;
  record: RecordSignal;
}
type MakePage = (ctx: RouterContext) => Promise<Page>;

/**
 * Maximum body size, bytes: more than any mail program sends (`List-Unsubscribe=One-Click`, as a form or multipart).
 */
const MAX_BODY = 16 * 1024;

/**
 * `GET /u/<token>` only asks, since scanners and previews follow links (docs/architecture.md#signals). `POST
 * /u/<token>` unsubscribes: by the button on that page, or by the one-click POST of RFC 8058. It needs no cookie and
 * does not redirect (RFC 8058 section 3.1). The signed link is the proof, so the body is ignored.
 */
export function unsubscribePage(deps: UnsubscribeDeps): { ask: MakePage; unsubscribe: MakePage } {
  const { findRecipient, keyring, record } = deps;
  const messageOf = (ctx: RouterContext): string | null =>
    readLinkToken(keyring, 'unsubscribe', ctx.params['token'] ?? '');

  const ask: MakePage = async (ctx) => {
    const messageId = messageOf(ctx);
    const recipient = messageId && (await findRecipient(messageId));
    if (!recipient) return pages.notFound;
    if (recipient.address === null) return pages.contactGone(recipient);
    return recipient.subscribed ? pages.askToUnsubscribe(recipient) : pages.alreadyUnsubscribed(recipient);
  };

  const unsubscribe: MakePage = async (ctx) => {
    const messageId = messageOf(ctx);
    if (!messageId) return pages.notFound;
    const fault = await discardBody(ctx);
    if (fault) return fault;
    if (!(await record('unsubscribe', messageId, null))) return pages.tryAgain;
    return confirmation(findRecipient, messageId);
  };

  return { ask, unsubscribe };
}

/** The request is already durable: a store that cannot be read must not turn it into an error. */
async function confirmation(findRecipient: FindRecipient, messageId: string): Promise<Page> {
  const recipient = await findRecipient(messageId).catch(() => undefined);
  if (recipient === undefined) return pages.unsubscribedUnnamed;
  if (recipient === null) return pages.notFound;
  return recipient.address === null ? pages.contactGone(recipient) : pages.unsubscribed(recipient);
}

/** Discards the body; returns a page when it is too large or broke off. */
async function discardBody(ctx: Context): Promise<Page | null> {
  try {
    await getRawBody(ctx.req, { limit: MAX_BODY, length: ctx.get('Content-Length') || null });
    return null;
  } catch (error) {
    ctx.set('Connection', 'close');
    return (error as getRawBody.RawBodyError).type === 'entity.too.large' ? pages.tooLarge : pages.unreadable;
  }
}
