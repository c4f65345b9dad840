import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Block } from '../../../domain/campaigns/block';
import { checkContent } from '../../../email/check-content';
import { contentElements } from '../../../email/content-elements';
import { findMergeTags, maskTags } from '../../../email/merge-tags';
import { compileBlocks } from '../../../email/blocks/compile-blocks';

const elementsOf = (html: string) => contentElements(html, maskTags(html, findMergeTags(html)));

const EVERY: readonly Block[] = [
  { kind: 'heading', text: 'Halo {{nama|Kak}}' },
  { kind: 'text', text: 'Satu **tebal** dan _miring_.\nBaris dua\n\nParagraf [kedua](https://toko.example/?a=1&b=2).' },
  { kind: 'button', label: 'Beli', url: 'https://toko.example/beli', color: '#ffdd00' },
  {
    kind: 'columns',
    columns: [[{ kind: 'image', url: 'https://toko.example/a.png', alt: 'Sepatu' }], [{ kind: 'divider' }]],
  },
  { kind: 'footer', text: 'Kecil' },
];

describe('the HTML of blocks', () => {
  let html: string;
  beforeAll(async () => {
    html = await compileBlocks(EVERY, 'en');
  });

  it('says in which language the mail is', async () => {
    expect(html).toMatch(/<html lang="en"/);
    expect(await compileBlocks(EVERY, 'id')).toMatch(/<html lang="id"/);
    expect(html).not.toContain('"und"');
  });

  it('has each block, its links and images, and keeps merge tags', () => {
    expect(html).toContain('Halo {{nama|Kak}}</h1>');
    expect(html).toContain('<strong>tebal</strong> dan <em>miring</em>');
    expect(html).toContain('Baris dua</p>');
    const { links, images, hasScript } = elementsOf(html);
    expect(links.map(({ href }) => href)).toEqual(['https://toko.example/?a=1&amp;b=2', 'https://toko.example/beli']);
    expect(images).toHaveLength(1);
    expect(hasScript).toBe(false);
  });

  it('has tables for Outlook, and columns that stand below each other on a phone', () => {
    expect(html).toContain('<!--[if mso | IE]>');
    expect(html).toMatch(/@media only screen and \(min-width:480px\) \{[^<]*\.mj-column-per-50 \{ width:50%/);
  });

  it('gives our own checks nothing to say but what the writer chose', () => {
    const found = checkContent({ subject: 'Promo', preheader: 'Hari ini', html, text: null });
    expect(found.map(String)).toEqual(['There is no unsubscribe link. A footer with one will be added.']);
  });

  it('reads well on each colour of a button', async () => {
    expect(html).toMatch(/background:#ffdd00;color:#000000/);
    expect(
      await compileBlocks([{ kind: 'button', label: 'x', url: 'https://a.example', color: '#0b5c4b' }], 'en'),
    ).toMatch(/background:#0b5c4b;color:#ffffff/);
  });

  it.each<Block>([
    { kind: 'heading', text: '<script>alert(1)</script><mj-raw><b>' },
    {
      kind: 'text',
      text: '</mj-text><mj-raw><script>alert(1)</script></mj-raw> [a](javascript:alert(1)) [b](https://a.example/"onclick="x)',
    },
    { kind: 'button', label: '<i>', url: 'https://a.example/"><script>' },
    { kind: 'image', url: 'https://a.example/"onerror="x', alt: '"><script>', link: 'https://a.example' },
    { kind: 'footer', text: '<mj-include path="/etc/passwd" />' },
  ])('lets nothing of a text through as markup: %j', async (block) => {
    const made = await compileBlocks([block], 'en');
    expect(made).not.toMatch(/<script|<mj-|<b>|<i>|\son\w+="|href="javascript/i);
  });
});
