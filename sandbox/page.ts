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
  { path: HOOKS_PATH, label: 'Webhooks' },
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

/** A time in ms, to the millisecond: what the sandbox does takes less than a second. */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')} UTC`;

/** A time span in ms with its sign: `+0.312 s`, `-12.0 s`, `+3 min 5 s`, `+2 h 0 min`. */
export function sinceText(ms: number): string {
  const sign = ms < 0 ? '-' : '+';
  const span = Math.abs(ms);
  if (span < 10_000) return `${sign}${(span / 1_000).toFixed(3)} s`;
  if (span < 60_000) return `${sign}${(Math.floor(span / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(span / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes} min ${seconds % 60} s`;
  return `${sign}${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
