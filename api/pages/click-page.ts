import type { RouterContext } from '@koa/router';
import type { Keyring } from '../../domain/keyring';
import { readLinkToken } from '../../domain/message-tokens';
import type { MessageStore } from '../../stores/ports/message-store';
import { answerPage, keepPrivate } from './answer';
import { pages } from './pages';
import { redirectTarget } from './redirect-target';
import type { RecordSignal } from './signal-recorder';

export interface ClickDeps {
  messages: Pick<MessageStore, 'links'>;
  keyring: Keyring;
  record: RecordSignal;
}

/**
 * `GET /t/c/<token>/<n>`: records the click, then redirects to destination n of the message's stored list. Nothing in
 * the response comes from the URL, so a signed link cannot be changed to lead elsewhere. HEAD gets the same response
 * but records nothing: scanners use it, people who click do not.
 */
export function clickPage({ messages, keyring, record }: ClickDeps): (ctx: RouterContext) => Promise<void> {
  const destinationOf = async (messageId: string | null, n: string): Promise<string | null> => {
    if (!messageId || !/^(0|[1-9]\d{0,5})$/.test(n)) return null;
    return (await messages.links(messageId))[Number(n)] ?? null;
  };

  return async function click(ctx) {
    const messageId = readLinkToken(keyring, 'click', ctx.params['token'] ?? '');
    const destination = await destinationOf(messageId, ctx.params['n'] ?? '');
    const target = destination === null ? null : redirectTarget(destination);
    if (!messageId || target === null) {
      answerPage(ctx, pages.notFound);
      return;
    }
    // The person who clicks must arrive: if the log cannot accept the click, only the record of it is lost.
    if (ctx.method === 'GET') await record('click', messageId, Number(ctx.params['n']));
    keepPrivate(ctx);
    ctx.status = 302;
    ctx.set('Location', target);
    ctx.type = 'text/plain';
    ctx.body = `${target}\n`;
  };
}
