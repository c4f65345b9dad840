import { decodeHTMLAttribute } from 'entities';
import { readUrl } from '../lib/read-url';

/**
 * The destination of an `href`, or null when it is no http(s) URL and stays unchanged. `value` is the attribute as
 * written in the html; white space is removed as browsers remove it.
 */
export function destinationOf(value: string): string | null {
  const decoded = value.includes('&') ? decodeHTMLAttribute(value) : value;
  const url = decoded.replace(/[\t\n\r]+/g, '').trim();
  return /^https?:\/\//i.test(url) && readUrl(url) ? url : null;
}

/**
 * The URL with `svc_mid=<message id>` added to its query; its other parameters and its fragment stay
 * (docs/contract.md#conversion-parameter).
 */
export function withMessageId(url: string, messageId: string): string {
  const hash = url.indexOf('#');
  const base = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? '' : url.slice(hash);
  const separator = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  return `${base}${separator}svc_mid=${messageId}${fragment}`;
}

/** False when following the `href`, as written in the html, stays in the mail: empty, `#`, a script. */
export function leadsSomewhere(value: string): boolean {
  return !/^\s*(?:#|javascript:|$)/i.test(decodeHTMLAttribute(value));
}
