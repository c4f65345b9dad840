import type { RouterContext } from '@koa/router';
import type { Keyring } from '../../domain/keyring';
import { readLinkToken } from '../../domain/messages/message-tokens';
import { discardBody } from './discard-body';
import type { Page } from './page';
import { pagesFor } from './pages';
import type { FindRecipient } from './find-recipient';
import type { RecordSignal } from './signal-recorder';

export interface UnsubscribeDeps {
  findRecipient: FindRecipient;
  keyring: Keyring;
  record: RecordSignal;
}
type MakePage = (ctx: RouterContext) => Promise<Page>;

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
    const pages = pagesFor(ctx, recipient ? recipient.language : undefined);
    if (!recipient) return pages.notFound;
    if (recipient.address === null) return pages.contactGone(recipient);
    return recipient.subscribed ? pages.askToUnsubscribe(recipient) : pages.alreadyUnsubscribed(recipient);
  };

  const unsubscribe: MakePage = async (ctx) => {
    const messageId = messageOf(ctx);
    if (!messageId) return pagesFor(ctx).notFound;
    const fault = await discardBody(ctx);
    if (fault) return fault;
    if (!(await record(ctx, { kind: 'unsubscribe', messageId }))) return pagesFor(ctx).tryAgain;
    return confirmation(ctx, findRecipient, messageId);
  };

  return { ask, unsubscribe };
}

/** The request is already durable: a store that cannot be read must not turn it into an error. */
async function confirmation(ctx: RouterContext, findRecipient: FindRecipient, messageId: string): Promise<Page> {
  const recipient = await findRecipient(messageId).catch(() => undefined);
  const pages = pagesFor(ctx, recipient?.language);
  if (recipient === undefined) return pages.unsubscribedUnnamed;
  if (recipient === null) return pages.notFound;
  return recipient.address === null ? pages.contactGone(recipient) : pages.unsubscribed(recipient);
}
