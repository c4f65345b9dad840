import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

/** Bytes to serve many times, plain and compressed. */
export interface Packed {
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** Compresses content that is served many times. */
export async function pack(content: Buffer | string): Promise<Packed> {
  const plain = Buffer.from(content);
  // Weak, because both encodings share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, gzipped: await promisify(gzip)(plain), etag };
}

/**
 * Responds 200 with the bytes, compressed if the client accepts it, or 304 if the client has them already (RFC 9110
 * section 13).
 */
export function answerPacked(ctx: Context, { plain, gzipped, etag }: Packed, type: string, cacheControl: string): void {
  ctx.status = 200;
  ctx.set({
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const compressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.type = type;
  ctx.body = compressed ? gzipped : plain;
  if (compressed) ctx.set('Content-Encoding', 'gzip');
}
