import type { Shown } from '../judge/history';
import { bodyOf } from './mail-body';

/** Characters of a part that are kept: what a mail is about stands in its first sentence. */
const KEPT = 400;
const UNSUBSCRIBE = /https?:\/\/[^/\s"<>]+\/u\/[A-Za-z0-9_-]+/g;

/** What the recipient of a mail sees of it. */
export function shownOf(source: string): Shown {
  const end = source.indexOf('\r\n\r\n');
  const head = source.slice(0, end).replace(/\r\n[ \t]/g, ' ');
  const field = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const body = bodyOf(source.slice(end));
  const [header = null] = field('List-Unsubscribe').match(UNSUBSCRIBE) ?? [];
  return {
    to: field('To').replace(/^.*<([^>]*)>$/, '$1'),
    subject: field('Subject'),
    texts: partsOf(body, /boundary="?([^"\r\n;]+)/i.exec(head)?.[1]).map(textOf),
    unsubscribe: { header, links: [...new Set(body.match(UNSUBSCRIBE) ?? [])] },
  };
}

/** The bodies of the parts of a mail, or the only one. */
function partsOf(body: string, boundary: string | undefined): string[] {
  if (boundary === undefined) return [body];
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => part.slice(part.indexOf('\r\n\r\n')));
}

/** As it is read: without tags, on one line. */
const textOf = (part: string): string =>
  part
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, KEPT);
