import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../keyring';

/** Uses of a message's public links; each has its own signature. */
export type LinkPurpose = 'click' | 'open' | 'unsubscribe' | 'browser';
const SLICES: Record<LinkPurpose, [number, number]> = {
  click: [0, 10],
  open: [10, 20],
  unsubscribe: [20, 32],
  browser: [0, 12],
};

/**
 * Stands where a tracked link has its number, in the link that no person sees (docs/machine-signals.md#hidden-link).
 */
export const HIDDEN_PLACE = 'h';

/** Public links of one message below `KURIR_PUBLIC_URL`, as plain data. */
export interface MessageLinks {
  /** Prefix: link n of the message's stored list is this followed by n. */
  clicks: string;
  open: string;
  unsubscribe: string;
}

const compact = (messageId: string): string => Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');

const expand = (id: string): string | null => {
  const hex = Buffer.from(id, 'base64url').toString('hex');
  if (hex.length !== 32) return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** The public links of a message: click `/t/c/<token>/<n>`, open `/t/o/<token>.gif`, unsubscribe `/u/<token>`. */
export function messageLinks(keyring: Keyring, publicUrl: string, messageId: string): MessageLinks {
  const id = compact(messageId);
  const digest = keyring.linkDigest(messageId);
  const token = (purpose: LinkPurpose): string => `${id}${digest.subarray(...SLICES[purpose]).toString('base64url')}`;
  return {
    clicks: `${publicUrl}/t/c/${token('click')}/`,
    open: `${publicUrl}/t/o/${token('open')}.gif`,
    unsubscribe: `${publicUrl}/u/${token('unsubscribe')}`,
  };
}

/** The link to the page that shows the mail of a campaign, `/m/<token>`. */
export const browserLink = (keyring: Keyring, publicUrl: string, messageId: string): string =>
  `${publicUrl}/m/${compact(messageId)}${signature(keyring, 'browser', messageId).toString('base64url')}`;

/** All mails have the other links, so one digest is enough for those; that of the page is worked out apart. */
const signature = (keyring: Keyring, purpose: LinkPurpose, messageId: string): Buffer =>
  keyring.linkDigest(purpose === 'browser' ? `browser ${messageId}` : messageId).subarray(...SLICES[purpose]);

/** The message id a token was signed for; null when the signature is wrong or for another purpose. */
export function readLinkToken(keyring: Keyring, purpose: LinkPurpose, token: string): string | null {
  if (!/^[A-Za-z0-9_-]{36,38}$/.test(token)) return null;
  const messageId = expand(token.slice(0, 22));
  if (!messageId) return null;
  const expected = signature(keyring, purpose, messageId);
  return sameBytes(Buffer.from(token.slice(22), 'base64url'), expected) ? messageId : null;
}

/**
 * The signed envelope sender of a message (VERP): `b-<id>-<signature>`, in lower-case hex, since case may be lost in
 * transit.
 */
export function verpLocalPart(keyring: Keyring, messageId: string): string {
  return `b-${messageId.replaceAll('-', '')}-${keyring.returnPathDigest(messageId).subarray(0, 8).toString('hex')}`;
}

/** The message id a bounce address was signed for, or null. */
export function readVerpLocalPart(keyring: Keyring, localPart: string): string | null {
  const match = /^b-([0-9a-f]{32})-([0-9a-f]{16})$/.exec(localPart.toLowerCase());
  if (!match) return null;
  const messageId = expand(Buffer.from(match[1]!, 'hex').toString('base64url'));
  if (!messageId) return null;
  const expected = keyring.returnPathDigest(messageId).subarray(0, 8);
  return sameBytes(Buffer.from(match[2]!, 'hex'), expected) ? messageId : null;
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
