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

/** Signatures cover the query, so nothing may be added to it. */
const SIGNED = /^(?:x-amz-signature|x-goog-signature|signature)=/i;
const OURS = 'svc_mid';

/**
 * The URL with `svc_mid=<message id>` at the end of its query; one that stands there goes. All else stays as written. A
 * signed URL is left alone, and so is one whose host is, or is below, one of `unmarkedHosts` (lower case)
 * (docs/contract.md#conversion-parameter).
 */
export function withMessageId(url: string, messageId: string, unmarkedHosts: readonly string[] = []): string {
  const hash = url.indexOf('#');
  const base = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? '' : url.slice(hash);
  const mark = base.indexOf('?');
  const path = mark < 0 ? base : base.slice(0, mark);
  const parameters = mark < 0 ? [] : base.slice(mark + 1).split('&');
  if (parameters.some((parameter) => SIGNED.test(parameter)) || isUnmarked(url, unmarkedHosts)) return url;
  const kept = parameters.filter((parameter) => nameOf(parameter) !== OURS).join('&');
  const separator = kept === '' || kept.endsWith('&') ? '' : '&';
  return `${path}?${kept}${separator}svc_mid=${messageId}${fragment}`;
}

/** The name of a parameter as shops read it: `svc%5Fmid` is ours, too. */
function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function isUnmarked(url: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return false;
  const host = readUrl(url)?.hostname ?? '';
  return hosts.some((unmarked) => host === unmarked || host.endsWith(`.${unmarked}`));
}

/** False when following the `href`, as written in the html, stays in the mail: empty, `#`, a script. */
export function leadsSomewhere(value: string): boolean {
  return !/^\s*(?:#|javascript:|$)/i.test(decodeHTMLAttribute(value));
}
