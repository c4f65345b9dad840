// What docs/README.md leads through: the site has its menus from there, so that a page is listed once.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './folders.mjs';
import { pagesOf } from './stage.mjs';

const pages = pagesOf(ROOT);
const read = (source) => readFileSync(join(ROOT, source), 'utf8');

/** The address of a page within the site; a link may have a heading. */
const addressOf = (target, folder) => {
  const [path, anchor] = target.split('#');
  const place = pages.get(posix.join(folder, path));
  if (place === undefined) throw new Error(`${folder}: ${target} is no page.`);
  return `/${place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}${anchor ? `#${anchor}` : ''}`;
};
const linksOf = (text, folder = 'docs') =>
  [...text.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(([, label, target]) => ({
    text: label,
    link: addressOf(target, folder),
  }));

const sections = read('docs/README.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n', 1)[0], text }));

/** The ways, each with what its readers do, its steps in order, and what may follow. */
export const WAYS = sections
  .filter(({ text }) => /^1\. /m.test(text))
  .map(({ title, text }) => {
    const [about, steps, ...more] = text.split('\n\n').slice(1);
    const first = steps.split('\n').flatMap((line) => linksOf(line).slice(0, 1));
    return { title, about: about.replaceAll('\n', ' ').trim(), steps: first, more: linksOf(more.join('\n')) };
  });

/** All other pages. */
export const REFERENCE = sections
  .filter(({ title }) => title === 'Everything else')
  .flatMap(({ text }) => linksOf(text.split(/^Next: /m)[0]));

/** The decisions, by number. */
export const DECISIONS = [...read('docs/decisions/README.md').matchAll(/^\| +(\d+) \| \[(.+?)\]\((.+?)\)/gm)].map(
  ([, number, title, target]) => ({
    text: `${number}. ${title.replaceAll('`', '')}`,
    link: addressOf(target, 'docs/decisions'),
  }),
);
