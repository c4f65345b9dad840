// What the site has beside the documents: the first page begins with the four ways as cards.
import { WAYS } from './ways.mjs';

const yaml = (value) => JSON.stringify(value);

const cards = WAYS.map(
  ({ title, about, steps: [first] }) =>
    `  - title: ${yaml(title)}\n    details: ${yaml(about)}\n    link: ${yaml(first.link)}\n    linkText: ${yaml(first.text)}`,
).join('\n');

const HOME = `---
layout: home
title: Documentation
hero:
  name: Kurir
  text: Self-hosted email service
  tagline: Transactional email, campaigns and journeys. No email lost, none sent twice, no coin wrong.
features:
${cards}
---

![The overview of a workspace in the dashboard](./dashboard/overview.png)

`;

/** What a page says of itself to the site. */
const FRONT = {
  'spec-map.md': '---\nsearch: false\n---\n\n',
  'dashboard/index.md': '---\npageClass: screens\n---\n\n',
};

/** A page as it is built; the first one has cards in place of its title. */
export function withFrontMatter(page) {
  const isHome = page.place === 'index.md';
  const text = isHome ? HOME + page.text.slice(page.text.indexOf('\n## ') + 1) : (FRONT[page.place] ?? '') + page.text;
  return { ...page, text };
}
