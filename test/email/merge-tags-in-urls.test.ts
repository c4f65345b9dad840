import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BrowserHtml } from '../../email/browser-html';
import { compileBlocks } from '../../email/blocks/compile-blocks';
import { mergeValues } from '../../email/merge-values';
import { htmlOfText } from '../../smtp/relay/mail/html-of-text';
import { TEST_START } from '../support/clock';
import { composeInput, LINKS, MESSAGE_ID } from './support/compose-input';
import { composeAndRead } from './support/read-mail';
import type { ComposeInput } from '../../email/compose';
import { processorTime } from '../support/processor-time';

/** Keeps the footer away. */
const STOP = '<!--end--><a href="{{unsubscribe_url}}">stop</a>';
const V = 'a+b&c=d#e%20/ö "<x>"';
const ENCODED = 'a%2Bb%26c%3Dd%23e%2520%2F%C3%B6%20%22%3Cx%3E%22';

async function composed(html: string, v = V, change: Partial<ComposeInput> = {}) {
  const variables = { v, link: 'https://toko.test/?a=1&b=2', path: '/pesanan/1 2', empty: '' };
  const input = composeInput({
    to: 'budi+promo@example.com',
    ...change,
    body: { html: html + STOP, text: null, variables },
  });
  const mail = await composeAndRead(input);
  return { html: mail.html.split('<!--end-->')[0]!, text: mail.text, destinations: mail.destinations };
}

/** The target of the one link of a mail. */
const destination = async (href: string, v = V, change: Partial<ComposeInput> = {}): Promise<string | undefined> =>
  (await composed(`<a href="${href}">x</a>`, v, change)).destinations[0];

/** The html, of which nothing is tracked. */
const shown = async (html: string, v = V): Promise<string> =>
  (await composed(html, v, { links: { ...LINKS, clicks: null } })).html;

describe('a value inside a URL is percent-encoded for its place', () => {
  // spec: docs/contract.md#merge-tags-in-urls: a plus is not lost
  it('so that a plus, an ampersand and whatever else means something in a URL is not lost', async () => {
    const url = new URL((await destination('https://toko.test/?email={{email}}&amp;v={{v}}'))!);
    expect(Object.fromEntries(url.searchParams)).toEqual({ email: 'budi+promo@example.com', v: V });
  });

  // spec: docs/contract.md#merge-tags-in-urls: path, query, fragment
  it.each([
    ['https://a.test/{{v}}', `https://a.test/${ENCODED}`],
    ['https://a.test/x/{{v}}/y', `https://a.test/x/${ENCODED}/y`],
    ['https://a.test/x-{{v}}.html', `https://a.test/x-${ENCODED}.html`],
    ['https://a.test?{{v}}', `https://a.test?${ENCODED}`],
    ['https://a.test/?{{v}}=1', `https://a.test/?${ENCODED}=1`],
    ['https://a.test/?x=1&{{v}}', `https://a.test/?x=1&${ENCODED}`],
    ['https://a.test/#{{v}}', `https://a.test/#${ENCODED}`],
    ['https://a.test/{{v}}{{v}}', `https://a.test/${ENCODED}${ENCODED}`],
    ['https://a.test/?q=satu dua {{v}}', `https://a.test/?q=satu dua ${ENCODED}`],
    ['HTTPS://a.test/?q={{V}}', `HTTPS://a.test/?q=${ENCODED}`],
    ['https://a.test/?next=https://{{v}}', `https://a.test/?next=https://${ENCODED}`],
    ['https://a.test/?next={{link}}', 'https://a.test/?next=https%3A%2F%2Ftoko.test%2F%3Fa%3D1%26b%3D2'],
    ['https://wa.test/?u={{unsubscribe_url}}', 'https://wa.test/?u=https%3A%2F%2Ft.kurir.test%2Fu%2F1'],
  ])('%s', async (href, expected) => {
    expect(await destination(href)).toBe(expected);
  });

  it('in the link that is stored, once, with the parameter of conversions behind it', async () => {
    const url = await destination('https://a.test/?q={{v}}', 'x&svc_mid=theirs', { trackConversions: true });
    expect(url).toBe(`https://a.test/?q=x%26svc_mid%3Dtheirs&svc_mid=${MESSAGE_ID}`);
  });

  it('also a fallback, which is data too: what its author escaped is escaped once more', async () => {
    expect(await destination('https://a.test/?n={{empty|Kak & Co}}')).toBe('https://a.test/?n=Kak%20%26%20Co');
    expect(await destination('https://a.test/?n={{empty|a%20b}}')).toBe('https://a.test/?n=a%2520b');
  });

  // spec: docs/contract.md#merge-tags-in-urls: a tag that begins the URL stays
  it.each([
    ['{{link}}', 'https://toko.test/?a=1&b=2'],
    [' {{link}} ', 'https://toko.test/?a=1&b=2'],
    ['{{empty|https://a.test/?x=1&y=a b}}', 'https://a.test/?x=1&y=a b'],
    ['{{link}}&v={{v}}', `https://toko.test/?a=1&b=2&v=${ENCODED}`],
    ['{{empty|https://a.test}}{{path}}?v={{v}}', `https://a.test/pesanan/1%202?v=${ENCODED}`],
    ['https://a.test{{path}}', 'https://a.test/pesanan/1%202'],
    ['https://{{empty|a.test:8080}}/{{v}}', `https://a.test:8080/${ENCODED}`],
    ['https://{{empty|a.test/x?y}}', 'https://a.test/x?y'],
    ['https://{{empty|toko 1}}.a.test/', undefined],
    ['https://{{empty|evil.test/}}.a.test/', undefined],
    ['https://a.test{{empty|@evil.test}}', undefined],
    ['https://{{empty|toko}}.a.test/', 'https://toko.a.test/'],
  ])('but what begins the URL stays as it is: %s', async (href, expected) => {
    expect(await destination(href)).toBe(expected);
  });

  it.each([
    ['https://a.test/{{v}}'],
    ['https://a.test/x/{{v}}/y?z'],
    ['https://a.test/?{{v}}=1'],
    ['https://a.test/?x={{v}}&y=1'],
    ['https://a.test/#{{v}}'],
    ['{{link}}&x={{v}}'],
  ])('and comes back when it is decoded, whatever it is: %s', async (href) => {
    const [before = '', after = ''] = href.replace('{{link}}', 'https://toko.test/?a=1&b=2').split('{{v}}');
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true }),
    );
    await fc.assert(
      fc.asyncProperty(value, async (v) => {
        const url = (await destination(href, v))!;
        const middle = url.slice(before.length, after === '' ? undefined : -after.length);
        expect([url.startsWith(before), url.endsWith(after)]).toEqual([true, true]);
        // As a value comes into a mail: on one line.
        const clean = v
          .replace(/\p{Cc}+/gu, ' ')
          .trim()
          .replace(/[\ud800-\udfff]/gu, '\ufffd');
        expect(decodeURIComponent(middle)).toBe(clean);
        expect(middle).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
      }),
      { numRuns: 100 },
    );
  });
});

describe('wherever a URL stands in the html', () => {
  const HTML = ENCODED;
  // spec: docs/contract.md#merge-tags-in-urls: wherever a URL stands
  it.each([
    '<img src="https://a.test/{{v}}.png">',
    "<img src='https://a.test/{{v}}.png'>",
    '<img src=https://a.test/{{v}}.png>',
    '<img src="/relative/{{v}}.png">',
    '<img srcset="https://a.test/{{v}}.png 1x, https://a.test/2/{{v}}.png 2x">',
    '<td background="https://a.test/{{v}}.png">',
    '<form action="https://a.test/?x={{v}}"><button formaction="?x={{v}}">',
    '<video poster="https://a.test/{{v}}"><source src="https://a.test/{{v}}">',
    '<link rel="stylesheet" href="https://a.test/{{v}}.css">',
    '<base href="https://a.test/{{v}}/">',
    '<p style="background:url(https://a.test/{{v}}.png)">',
    `<p style="background:url('https://a.test/{{v}}.png')">`,
    '<p style="background:url(&quot;https://a.test/{{v}}.png&quot;)">',
    '<style>p { background: url(https://a.test/{{v}}.png) } @import "https://a.test/{{v}}.css";</style>',
    '<meta http-equiv="refresh" content="0;url=https://a.test/?x={{v}}">',
    '<script type="application/ld+json">{"url":"https://a.test/?x={{v}}"}</script>',
    '<!--[if mso]><v:fill type="tile" src="https://a.test/{{v}}.png" /><v:rect href="/x?{{v}}"><![endif]-->',
    '<svg><a xlink:href="https://a.test/{{v}}"><image href="https://a.test/{{v}}"/></a></svg>',
    '<p>https://a.test/?x={{v}}</p>',
    '<p>(https://a.test/?x={{v}}) [x](https://a.test/?x={{v}})</p>',
    '<a href="mailto:cs@a.test?subject=Halo {{v}}&amp;body={{v}}">x</a>',
    '<a href="whatsapp://send?text={{v}}">x</a>',
    '<a href="sms:+62812?body={{v}}">x</a>',
    '<a href="/path?x={{v}}">x</a>',
    '<a href="#{{v}}">x</a>',
  ])('%s', async (html) => {
    expect(await shown(html)).toBe(html.replaceAll('{{v}}', HTML));
    expect(
      new BrowserHtml(html.replaceAll('{{v}}', '{{nama}}')).render(
        mergeValues({
          ...composeInput({ contactName: V }),
          subject: '',
          unsubscribeUrl: '',
          browserUrl: null,
          now: TEST_START,
        }),
      ),
    ).toContain(html.replaceAll('{{v}}', HTML));
  });

  it('an address and a number keep what they are made of', async () => {
    expect(await shown('<a href="mailto:{{v}}">x</a>', 'budi+a b@toko.test')).toBe(
      '<a href="mailto:budi+a%20b@toko.test">x</a>',
    );
    expect(await shown('<a href="mailto:{{v}}?cc={{v}}">x</a>', '"a@b?c"@toko.test')).toBe(
      '<a href="mailto:%22a%40b%3Fc%22@toko.test?cc=%22a%40b%3Fc%22%40toko.test">x</a>',
    );
    expect(await shown('<a href="tel:{{v}}">x</a>', '+62 812')).toBe('<a href="tel:+62%20812">x</a>');
  });

  // spec: docs/contract.md#merge-tags: escaped in html
  it.each([
    '<p>{{v}}</p>',
    '<p title="{{v}}">{{v}}</p>',
    '<p>https://a.test/ {{v}}</p>',
    '<p>https://a.test/<b>{{v}}</b></p>',
    '<p>https://a.test/&nbsp;{{v}}</p>',
    '<p>(https://a.test/){{v}}</p>',
    '<p>{{empty|Budi}}/{{v}}</p>',
    '<p>{{link}}, {{v}}</p>',
    `<p style="background:url('https://a.test/x.png');content:'{{v}}'">`,
    '<a href="{{v}}">x</a>',
    '<p>10:{{v}}</p>',
  ])('and outside of one it is escaped as html, and no more: %s', async (html) => {
    const text = 'a+b&amp;c=d#e%20/ö &quot;&lt;x&gt;&quot;';
    const filled = html.replaceAll('{{v}}', text).replaceAll('{{empty|Budi}}', 'Budi');
    expect(await shown(html)).toBe(filled.replaceAll('{{link}}', 'https://toko.test/?a=1&amp;b=2'));
  });

  it('a script in a value stays what it was: never tracked, and for mail programs to refuse', async () => {
    const mail = await composed('<a href="{{v}}">x</a><a href="javascript:{{v}}">y</a>', 'javascript:alert("1")');
    expect(mail.destinations).toEqual([]);
    expect(mail.html).toBe(
      '<a href="javascript:alert(&quot;1&quot;)">x</a><a href="javascript:javascript%3Aalert%28%221%22%29">y</a>',
    );
  });

  it.each([
    `<a href="https://a.test/${'{{v}}'.repeat(60_000)}">x</a>`,
    'https://'.repeat(60_000) + '{{v}}',
    `${'(https://a.test/{{v}}'.repeat(20_000)})`,
    `${"'https://".repeat(50_000)}{{v}}`,
    `${'a.'.repeat(240_000)}{{v}}`,
    `${'&nbsp;'.repeat(80_000)}{{v}}`,
    '{{v}}'.repeat(100_000),
  ])('half a million hostile characters are read in one go (%#)', async (html) => {
    expect(await processorTime(() => composed(html, 'x'))).toBeLessThan(10_000);
  });
});

describe('in every other part', () => {
  const textOf = async (text: string, v = V): Promise<string> => {
    const variables = { v, link: 'https://toko.test/?a=1', name_only: 'Budi' };
    const mail = await composeAndRead(
      composeInput({ body: { html: STOP, text: `${text}\n{{unsubscribe_url}}`, variables } }),
    );
    return mail.text.split('\nhttps://t.kurir.test/u/1')[0]!;
  };

  // spec: docs/contract.md#merge-tags-in-urls: wherever a URL stands
  it.each([
    ['https://a.test/?x={{v}} {{v}}', `https://a.test/?x=${ENCODED} ${V}`],
    ['<https://a.test/{{v}}>{{v}}', `<https://a.test/${ENCODED}>${V}`],
    ['[x](https://a.test/{{v}}) ({{v}})', `[x](https://a.test/${ENCODED}) (${V})`],
    ['[x](https://a.test/b_(c)/{{v}}){{v}}', `[x](https://a.test/b_(c)/${ENCODED})${V}`],
    ['|https://a.test/{{v}}|{{v}}|', `|https://a.test/${ENCODED}|${V}|`],
    ['{{link}}&x={{v}}', `https://toko.test/?a=1&x=${ENCODED}`],
    ['({{link}}&x={{v}}){{v}}', `(https://toko.test/?a=1&x=${ENCODED})${V}`],
    ['{{name_only}}/{{v}}?{{v}}', `Budi/${V}?${V}`],
    ['mailto:cs@a.test?subject={{v}}', `mailto:cs@a.test?subject=${ENCODED}`],
    ['Telp:{{v}}', `Telp:${V}`],
  ])('the text: %s', async (text, expected) => {
    expect(await textOf(text)).toBe(expected);
  });

  it('the text made from the html shows each link as it is, once where its label is the link', async () => {
    const url = 'https://a.test/?e={{email}}&n={{v}}';
    const href = url.replace('&', '&amp;');
    const { text } = await composed(`<p><a href="${href}">${href}</a> <a href="${href}">{{v}}</a></p>`, 'a+b');
    const filled = 'https://a.test/?e=budi%2Bpromo%40example.com&n=a%2Bb';
    expect(text.split('stop')[0]!.trim()).toBe(`${filled} a+b [${filled}]`);
  });

  it('the text made from the html shows an address as it is', async () => {
    const { text } = await composed('<p><a href="mailto:{{email}}">{{email}}</a></p>');
    expect(text).toContain('budi+promo@example.com');
    expect(text).not.toContain('%');
  });

  it('the subject, and a tag that stands for it', async () => {
    const input = composeInput({ body: { html: `<p>{{subjek}}</p>${STOP}`, text: null, variables: { v: 'a b' } } });
    const mail = await composeAndRead({
      ...input,
      message: { ...input.message, subject: '{{v}}: https://a.test/{{v}}' },
    });
    expect(mail.subject).toBe('a b: https://a.test/a%20b');
    expect(mail.html).toContain('<p>a b: https://a.test/a%20b</p>');
  });

  it('a mail that came with text only', async () => {
    const html = htmlOfText('https://a.test/?e={{email}}, {{email}}');
    const { html: filled, destinations } = await composed(html);
    expect(destinations).toEqual(['https://a.test/?e=budi%2Bpromo%40example.com']);
    expect(filled).toContain('>https://a.test/?e=budi%2Bpromo%40example.com</a>, budi+promo@example.com');
  });

  it('a mail of blocks', async () => {
    const html = await compileBlocks(
      [
        { kind: 'button', label: 'Beli', url: 'https://a.test/?e={{email}}' },
        { kind: 'text', text: '[toko](https://b.test/?e={{email}}&x=1) {{email}}' },
        { kind: 'image', url: 'https://c.test/a.png', alt: '{{email}}', link: '{{link}}' },
      ],
      'id',
    );
    const mail = await composed(html);
    expect(mail.destinations).toEqual([
      'https://a.test/?e=budi%2Bpromo%40example.com',
      'https://b.test/?e=budi%2Bpromo%40example.com&x=1',
      'https://toko.test/?a=1&b=2',
    ]);
    expect(mail.html).toContain('alt="budi+promo@example.com"');
  });
});
