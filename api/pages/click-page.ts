import type { RouterContext } from '@koa/router';
import type { Keyring } from '../../domain/keyring';
import { HIDDEN_PLACE, readLinkToken } from '../../domain/messages/message-tokens';
import type { MessageStore } from '../../stores/ports/message-store';
import { answerPage, keepPrivate } from './answer';
import { pagesFor } from './pages';
import { redirectTarget } from './redirect-target';
import type { RecordSignal } from './signal-recorder';

export interface ClickDeps {
  messages: Pick<MessageStore, 'links'>;
  keyring: Keyring;
  record: RecordSignal;
}

/**
 * `GET /t/c/<token>/<n>`: records the click, then redirects to destination n of the message's stored list. Nothing in
 * the response comes from the URL, so a signed link cannot be changed to lead elsewhere. HEAD gets the same response,
 * and is recorded as a machine's: scanners use it, people who click do not. The link that no person sees leads to a
 * page (docs/machine-signals.md#hidden-link).
 */
export function clickPage({ messages, keyring, record }: ClickDeps): (ctx: RouterContext) => Promise<void> {
  const destinationOf = async (messageId: string | null, n: string): Promise<string | null> => {
    if (!messageId || !/^(0|[1-9]\d{0,5})$/.test(n)) return null;
    return (await messages.links(messageId))[Number(n)] ?? null;
  };

  return async function click(ctx) {
    const messageId = readLinkToken(keyring, 'click', ctx.params['token'] ?? '');
    const place = ctx.params['n'] ?? '';
    if (messageId && place === HIDDEN_PLACE) {
      await record(ctx, { kind: 'hidden', messageId });
      answerPage(ctx, pagesFor(ctx).hiddenLink);
      return;
    }
    const destination = await destinationOf(messageId, place);
    const target = destination === null ? null : redirectTarget(destination);
    if (!messageId || target === null) {
      answerPage(ctx, pagesFor(ctx).notFound);
      return;
    }
    // The person who clicks must arrive: if the log cannot accept the click, only the record of it is lost.
    await record(ctx, { kind: 'click', messageId, link: Number(place) });
    keepPrivate(ctx);
    ctx.status = 302;
    ctx.set('Location', target);
    ctx.type = 'text/plain';
    ctx.body = `${target}\n`;
  };
}
