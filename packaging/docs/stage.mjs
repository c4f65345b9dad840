// Lays the documents out as pages of the site: docs/ is its top, and what lies beside docs/ gets a place of its own.
// Links follow; what is no page stays as text. Throws for each link, picture or heading that is not there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** Documents outside of docs/, by their place in the site. */
const BESIDE = {
  'README.md': 'readme.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'proof/bench/results.md': 'bench/results.md',
  'proof/bench/history.md': 'bench/history.md',
};
const IMAGE = /\.png$/;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** Every page's source by its place in the site. */
export function pagesOf(root) {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => [`docs/${name}`, name.replace(/(^|\/)README\.md$/, '$1index.md')]);
  return new Map([...inDocs, ...Object.entries(BESIDE).filter(([source]) => existsSync(join(root, source)))]);
}

/** The name a heading is linked by, as GitHub makes it. */
export const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A text in alternating pieces: outside of fenced code, and fenced code. */
const pieces = (text) => text.split(/(^ *```[\s\S]*?^ *```$)/m);
const outsideCode = (text, change) =>
  pieces(text)
    .map((piece, n) => (n % 2 === 0 ? change(piece) : piece))
    .join('');

const anchorsOf = (text) => [...outsideCode(text, (piece) => piece).matchAll(/^#+ (.+)$/gm)].map(([, it]) => slug(it));

/** The pages, with their links as the site has them, and the pictures that they show. */
export function stage(root, pages = pagesOf(root)) {
  const read = (source) => readFileSync(join(root, source), 'utf8');
  const [dead, images, anchors] = [[], new Set(), new Map()];
  const has = (source, anchor) => {
    if (!anchors.has(source)) anchors.set(source, anchorsOf(read(source)));
    return anchors.get(source).includes(anchor);
  };
  const linked = (source, place) => (whole, bang, label, target) => {
    if (/^[a-z]+:/.test(target)) return whole;
    const [path, anchor] = target.split('#');
    const to = path === '' ? source : posix.join(posix.dirname(source), path);
    if (!existsSync(join(root, to)) || (anchor && !has(to, anchor))) dead.push(`${source}: ${target}`);
    if (bang && IMAGE.test(to)) images.add(to);
    const there = pages.get(to) ?? (bang && to.startsWith('docs/') ? to.slice('docs/'.length) : undefined);
    if (there === undefined) return label;
    const relative = posix.relative(posix.dirname(place), there);
    return `${bang}[${label}](./${relative}${anchor ? `#${anchor}` : ''})`;
  };
  const staged = [...pages].map(([source, place]) => ({
    source,
    place,
    text: outsideCode(read(source), (piece) =>
      piece.replace(/^<!--[\s\S]*?-->\n*/gm, '').replace(LINK, linked(source, place)),
    ),
  }));
  if (dead.length > 0) throw new Error(`Dead links:\n${dead.map((link) => `  ${link}`).join('\n')}`);
  return { pages: staged, images: [...images] };
}

/** Writes the pages and pictures to a new folder. */
export async function writeStage(root, folder, { pages, images }) {
  const files = [
    ...pages.map(({ place, text }) => ({ to: join(folder, place), write: (to) => writeFile(to, text) })),
    ...images.map((image) => ({
      to: join(folder, image.slice('docs/'.length)),
      write: (to) => copyFile(join(root, image), to),
    })),
  ];
  for (const { to, write } of files) {
    await mkdir(dirname(to), { recursive: true });
    await write(to);
  }
}
