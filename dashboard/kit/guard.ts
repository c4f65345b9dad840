import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { Keyring } from '../../domain/keyring';
import { readUrl } from '../../lib/read-url';

/** The token that a form of a session carries. Another session has another one. */
export const csrfToken = (keyring: Keyring, sessionId: string): string => keyring.hash('csrf-tokens', sessionId);

/** True if the token is that of the session. */
export function isCsrfToken(keyring: Keyring, sessionId: string, given: string): boolean {
  const expected = Buffer.from(csrfToken(keyring, sessionId));
  const found = Buffer.from(given);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** False if another site sends the request: browsers say so, and programs that say nothing need the token anyway. */
export function isOwnOrigin(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '' && site !== 'same-origin') return false;
  const origin = ctx.get('Origin');
  return origin === '' || readUrl(origin)?.host === ctx.host;
}

/**
 * What a page may do. Frames of our own show mails, which have a policy of their own; the images of mails lie on the
 * public host.
 */
export const pagePolicy = (publicUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${new URL(publicUrl).origin}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * What a mail that is shown in a frame may do: be looked at. It comes from whoever writes mails, or fills in their
 * fields.
 */
const framePolicy = (images: string): string =>
  [
    'sandbox',
    "default-src 'none'",
    `img-src ${images}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
/** Of the public host only the images that the program keeps: no link of a mail is opened by looking at it. */
export const mailPolicy = (publicUrl: string): string => framePolicy(`'self' data: ${new URL(publicUrl).origin}/i/`);
/** The same for what the person writes: its images are loaded from wherever they lie. */
export const DRAFT_POLICY = framePolicy("'self' data: http: https:");

/** Sets the headers of an answer with this policy. */
export function secure(ctx: Context, policy: string): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': policy.startsWith('sandbox;') ? 'SAMEORIGIN' : 'DENY',
    'X-Robots-Tag': 'noindex',
  });
}
