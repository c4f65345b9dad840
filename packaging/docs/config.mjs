import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE, OUTPUT, SOURCE, WORK } from './folders.mjs';
import { slug } from './stage.mjs';
import { alignByClass, codeStyles, inlineScripts } from './styles.mjs';
import { DECISIONS, REFERENCE, WAYS } from './ways.mjs';

const code = codeStyles();
const scripts = inlineScripts(BASE);
const CODE_SHEET = 'assets/code.css';

const ways = WAYS.map(({ title, steps, more }) => ({ text: title, collapsed: false, items: [...steps, ...more] }));
const menu = [...ways, { text: 'Reference', collapsed: true, items: REFERENCE }];

/** Merge tags such as `{{name}}` are no expressions of Vue. */
function plainTags(md) {
  for (const rule of ['text', 'code_inline']) {
    const render = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
  }
}

export default {
  title: 'Kurir',
  description: 'Documentation of Kurir, a self-hosted email service.',
  base: BASE,
  srcDir: SOURCE,
  outDir: OUTPUT,
  // The style that it would put into a page meanwhile is forbidden.
  appearance: { disableTransition: false },
  cacheDir: join(WORK, 'cache'),
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['link', { rel: 'stylesheet', href: BASE + CODE_SHEET }],
  ],
  markdown: {
    html: false,
    anchor: { slugify: slug },
    codeTransformers: [code.transformer],
    config: (md) => {
      plainTags(md);
      alignByClass(md);
    },
  },
  themeConfig: {
    nav: [
      ...WAYS.map(({ title, steps: [first] }) => ({ text: title, link: first.link })),
      // One up from the site: it leads to the address that the program has for it.
      { text: 'API reference', link: '/../', target: '_self', noIcon: true },
    ],
    sidebar: { '/decisions/': [{ text: 'Decisions', link: '/decisions/', items: DECISIONS }], '/': menu },
    outline: [2, 3],
    // Each page names the next one itself.
    docFooter: { prev: false, next: false },
    search: { provider: 'local' },
  },
  transformHtml: (html) => scripts.out(html),
  buildEnd: async () => {
    const files = [[CODE_SHEET, code.sheet()], ...[...scripts.files].map(([name, text]) => [`assets/${name}`, text])];
    await Promise.all(files.map(([name, text]) => writeFile(join(OUTPUT, name), text)));
  },
};
