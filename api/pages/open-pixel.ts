import type { RouterContext } from '@koa/router';
import type { Keyring } from '../../domain/keyring';
import { readLinkToken } from '../../domain/messages/message-tokens';
import { keepPrivate } from './answer';
import type { RecordSignal } from './signal-recorder';

/** One transparent dot, GIF89a, 43 bytes. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

export interface PixelDeps {
  keyring: Keyring;
  record: RecordSignal;
}

/**
 * `GET /t/o/<token>.gif`: records the open, then returns the image. HEAD is recorded too, as a machine's. The image is
 * always returned, since a broken one shows in the mail: also for an invalid token, or when the log cannot accept the
 * open.
 */
export function openPixel({ keyring, record }: PixelDeps): (ctx: RouterContext) => Promise<void> {
  return async function open(ctx) {
    const token = (ctx.params['token'] ?? '').replace(/\.gif$/i, '');
    const messageId = readLinkToken(keyring, 'open', token);
    if (messageId) await record(ctx, { kind: 'open', messageId });
    keepPrivate(ctx);
    ctx.type = 'image/gif';
    ctx.body = DOT;
  };
}
