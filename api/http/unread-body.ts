import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { hasBody } from './read-bytes';

/** Node discards an unread body up to this size, bytes, and the connection stays open. */
const SMALL = 1024 * 1024;
/** How much of a larger body is discarded before the connection is closed. */
const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 10_000;

/** True when the request body is still arriving and too large to leave to Node. */
export function hasUnreadBody(ctx: Context): boolean {
  const { req } = ctx;
  return !req.complete && hasBody(req) && !isSmall(req) && ctx.writable;
}

/**
 * Ends a response that was sent before the whole request body was read (401, 413, 429 ...). The response goes out at
 * once. The connection is closed only after discarding incoming data for a while: closing on unread data resets the
 * connection, and many clients would never see the response.
 */
export async function answerUnreadBody(ctx: Context): Promise<void> {
  const { req, res } = ctx;
  const payload = ctx.method === 'HEAD' ? '' : serialize(ctx.body);
  ctx.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(payload)) });
  ctx.respond = false;
  res.flushHeaders();
  res.write(payload);
  await discard(req);
  res.end();
}

function serialize(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null);
}

function isSmall(req: IncomingMessage): boolean {
  return Number(req.headers['content-length'] ?? Infinity) <= SMALL;
}

/** Resolves when the body has ended, the caller has disconnected, or enough was discarded. */
function discard(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = LINGER_BYTES;
    const timer = setTimeout(finish, LINGER_MS);
    const count = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left <= 0) finish();
    };
    function finish(): void {
      clearTimeout(timer);
      req.off('data', count).off('end', finish).off('close', finish).pause();
      resolve();
    }
    req.on('data', count).once('end', finish).once('close', finish).resume();
  });
}
