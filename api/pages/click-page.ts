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
 * `GET /t/c/<token>/<n>`: to destination n of the message's stored list, and the click recorded first. Nothing of the
 * answer comes from the URL, so a signed link cannot be bent to lead elsewhere. HEAD answers alike and records nothing:
 * nobody clicks with it, but scanners look with it.
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
    // Somebody who clicks wants to arrive: when the log cannot take the click, the click is what is lost.
    if (ctx.method === 'GET') await record('click', messageId, Number(ctx.params['n']));
    keepPrivate(ctx);
    ctx.status = 302;
    ctx.set('Location', target);
    ctx.type = 'text/plain';
    ctx.body = `${target}\n`;
  };
}
