import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { style } from './inbox-style';
import { FAULT, LAYOUT } from './inbox-templates';
import { LOCAL_TIME, LOCAL_TIME_ELEMENT } from './local-time';

/** Where the inbox is served. */
export const INBOX_PATH = '/sandbox/inbox';
/** Where the hooks are served; the name of one follows. */
export const HOOKS_PATH = '/sandbox/hooks';

type Path = typeof INBOX_PATH | typeof HOOKS_PATH;

const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });
const layout = eta.compile(LAYOUT);
const PLACES = [
  { path: INBOX_PATH, label: 'Inbox' },
  { path: HOOKS_PATH, label: 'Hooks' },
] as const;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * One inline style sheet, one script of ours by its hash, frames and forms of our own, and nothing else: no image, no
 * embedding of the page.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(LOCAL_TIME)}`,
  'img-src data:',
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A function that renders the main part from a template into a page below `path`, which the template gets as well. */
export function pageMaker(path: Path, template: string): (title: string, data: object) => string {
  const compiled = eta.compile(template);
  return (title, data) =>
    eta.render(layout, {
      title: `${title} – Kurir`,
      style,
      path,
      places: PLACES,
      script: LOCAL_TIME_ELEMENT,
      main: eta.render(compiled, { ...data, path }),
    });
}

const faultPages = { [INBOX_PATH]: pageMaker(INBOX_PATH, FAULT), [HOOKS_PATH]: pageMaker(HOOKS_PATH, FAULT) };

/** The error page of a request below `path`. */
export const faultPage = (path: Path, message: string): string => faultPages[path](message, { message });

export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
