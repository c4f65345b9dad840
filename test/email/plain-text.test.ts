import { describe, expect, it } from '@jest/globals';
import { scanHtml } from '../../email/html-scan';
import { htmlToText } from '../../email/plain-text';
import { composeInput } from './support/compose-input';
import { composeAndRead } from './support/read-mail';

const toText = (html: string): string => htmlToText(html, scanHtml(html));
const DEEP = '<div>'.repeat(600);

describe('text is generated from html', () => {
  // spec: docs/contract.md#text-part: text: generated from html when empty
  it('with the URLs of links, the words of images, and lists', () => {
    const html =
      '<h1>Judul</h1><p>Satu <b>dua</b><br>tiga &amp; empat</p><a href="https://a.test/?x=1&amp;y=2">Lihat</a> <a href="https://b.test">https://b.test</a><img src="https://c.test/x.png" alt="Logo"><ul><li>a</li><li>b</li></ul>';
    expect(toText(html)).toBe(
      'Judul\n\nSatu dua\ntiga & empat\n\nLihat [https://a.test/?x=1&y=2] https://b.testLogo\n * a\n * b',
    );
  });

  it.each(['', DEEP])('without scripts, styles, titles and comments (%#)', (before) => {
    const html = `${before}<title>Judul</title><style>a{b:c}</style><script>alert("x")</script><!-- hidden --><p>Halo</p>`;
    expect(toText(html)).toBe('Halo');
  });

  it('of the body alone where there is one', () => {
    expect(toText('<html><head><title>x</title></head><body>Halo</body></html>')).toBe('Halo');
  });

  it('keeps long lines and merge tags whole', () => {
    const line = 'kata '.repeat(60).trim();
    expect(toText(`<h2>{{nama|Sobat Setia}}</h2><p>${line}</p>`)).toBe(`{{nama|Sobat Setia}}\n\n${line}`);
  });

  it('plainly where the html is nested beyond all reason', () => {
    expect(toText(`${DEEP}<p>Satu &amp; <b>dua</b></p>\n<p>tiga</p><br><br>empat`)).toBe('Satu & dua\ntiga\nempat');
  });

  it.each([
    '<table><tr><td>'.repeat(60) + 'a<br>'.repeat(99_000),
    `<table>${'<tr><td>a</td></tr>'.repeat(26_000)}</table>`,
    `<table><tr>${'<td>a</td>'.repeat(49_000)}`,
    '<div>'.repeat(100_000),
    '<b>'.repeat(166_000),
    '<table><tr><td>'.repeat(33_000),
    `${'<blockquote>'.repeat(190)}${'a<br>'.repeat(95_000)}`,
    `${'<ul><li>'.repeat(90)}${'a<br>'.repeat(95_000)}`,
    `${'<b> </b>'.repeat(60_000)}x`,
    '<div></x>'.repeat(55_000),
    '</div>'.repeat(80_000),
    '<p>'.repeat(160_000),
  ])('of half a million hostile characters, never longer than the html (%#)', (html) => {
    expect(toText(html).length).toBeLessThan(html.length);
  });
});

describe('a table as text', () => {
  const ROWS = '<tr><td>Nama:</td><td>Budi</td></tr><tr><th>Total</th>\n<td>Rp5</td></tr>';

  it.each(['', DEEP])('has a line per row and a space between cells (%#)', (before) => {
    expect(toText(`${before}<table>${ROWS}</table>`)).toBe('Nama: Budi\nTotal Rp5');
    expect(toText(`${before}<table><thead>${ROWS}</thead></table>`)).toBe('Nama: Budi\nTotal Rp5');
    expect(toText(`${before}<table><td>a</td><td>b</td></table>`)).toBe('a b');
  });

  it.each([
    ['<td><p>Nama:</p></td><td><p>Budi</p></td>', 'Nama: Budi'],
    ['<td>Alamat:</td><td>Jl. A<br>Jakarta</td>', 'Alamat: Jl. A\nJakarta'],
    ['<td></td><td> &nbsp; </td><td>a</td><td></td>', 'a'],
    ['<td>Jl. A<br>Jakarta</td><td>Jl. B</td>', 'Jl. A\nJakarta\n\nJl. B'],
    ['<td>Logo</td><td><p>a</p><p>b</p></td>', 'Logo\n\na\n\nb'],
    ['<form><td>a</td></form>b', 'a b'],
    ['<td><a href="https://a.test"><b>a</b></a></td><td><img alt="b"></td>', 'a [https://a.test] b'],
  ])('has cells in one line unless they hold paragraphs: %s', (cells, expected) => {
    expect(toText(`<table><tr>${cells}</tr></table>`)).toBe(expected);
  });

  it('made for layout reads from top to bottom, without large empty areas', () => {
    const spacer = '<tr><td height="20">&nbsp;</td></tr><tr><td><table><tr><td></td></tr></table></td></tr>';
    const html = `<p>Halo</p><table><caption>Judul</caption>${spacer.repeat(9)}<tr><td><table>${ROWS}</table></td></tr>
      ${spacer.repeat(9)}<tr><td><h1>Terima kasih</h1></td></tr>${spacer}</table><br><br><br><div></div><p>Salam</p>`;
    expect(toText(html)).toBe('Halo\n\nJudul\n\nNama: Budi\nTotal Rp5\n\nTerima kasih\n\nSalam');
  });
});

describe('the text and the html of a mail agree on what is a merge tag', () => {
  const STOP = '<a href="{{unsubscribe_url}}">stop</a>';
  const STOPPED = 'stop [https://t.kurir.test/u/1]';

  it.each([
    ['<p>Hi {{nama|a<b}} welcome</p><p>More</p>', 'Hi a<b welcome', 'More'],
    ['<p>{{nama|<b>y</b>}}</p><p>x</p>', '<b>y</b>', 'x'],
    ['<p>{{nama|a &amp; b}}</p><p>x</p>', 'a &amp; b', 'x'],
    ['<p>&#123;{email}}</p><p>x</p>', '{{email}}', 'x'],
    ['<p>{{<b>email</b>}}</p><p>x</p>', '{{email}}', 'x'],
    ['<p>&#xE000;0&#xE000; \uE001 {{email}}5{{tahun}}</p><p>x</p>', '\uE0000\uE000 \uE001 Budi@Example.com52026', 'x'],
    ['<p title="{{nama|">}}">{{email}}{{email}}</p><p>x</p>', 'Budi@Example.comBudi@Example.com', 'x'],
  ])('%s', async (html, first, second) => {
    const send = (body: string) =>
      composeAndRead(composeInput({ body: { html: body, text: null }, contactName: null }));
    expect((await send(`${html}<p>${STOP}</p>`)).text).toBe(`${first}\n\n${second}\n\n${STOPPED}`);
    expect((await send(`${STOP}${DEEP}${html}`)).text).toBe(`stop\n${first}\n${second}`);
  });

  it('also where a link shows its own address', async () => {
    const html = '<a href="{{unsubscribe_url}}">{{ link_unsubscribe }}</a>';
    expect((await composeAndRead(composeInput({ body: { html, text: null } }))).text).toBe('https://t.kurir.test/u/1');
  });

  it('whatever characters for private use the html holds', async () => {
    const all = Array.from({ length: 0xf900 - 0xe000 }, (_, i) => String.fromCharCode(0xe000 + i)).join('');
    const html = `<p>${all} {{email}} ${STOP}</p>`;
    const mail = await composeAndRead(composeInput({ body: { html, text: null } }));
    expect(mail.text).toBe(`${all} Budi@Example.com ${STOPPED}`);
  });
});

describe('the text part of a mail', () => {
  // spec: docs/contract.md#text-part: text: generated from html when empty
  it('is generated when text is null or empty, with merge tags filled raw and links not tracked', async () => {
    const html =
      '<p>Halo {{nama}} &amp; {{preheader|A & B}}</p><a href="https://a.test/?e={{email}}">x</a> <a href="{{unsubscribe_url}}">stop</a>';
    for (const text of [null, '']) {
      const mail = await composeAndRead(
        composeInput({ body: { html, text }, contactName: '<b>"Budi"</b>', trackConversions: true }),
      );
      expect(mail.text).toBe(
        'Halo <b>"Budi"</b> & A & B\n\nx [https://a.test/?e=Budi%40Example.com] stop [https://t.kurir.test/u/1]',
      );
    }
  });

  // spec: docs/contract.md#merge-tags: merge tags in subject and text
  it('is the given one, its tags filled once', async () => {
    const text = 'Halo {{nama_depan}}\r\n{{email}} {{unknown}}\n  dua  spasi \n{{unsubscribe_url}}';
    const mail = await composeAndRead(composeInput({ body: { html: 'x', text }, contactName: '{{email}} B' }));
    expect(mail.text).toBe('Halo {{email}}\nBudi@Example.com {{unknown}}\n  dua  spasi \nhttps://t.kurir.test/u/1');
  });

  // spec: docs/contract.md#footer: footer when no unsubscribe link is present
  it('has a footer when the html needed one and the text has no unsubscribe tag', async () => {
    const mail = await composeAndRead(composeInput({ body: { html: '<p>Halo</p>', text: null } }));
    expect(mail.text).toBe(
      'Halo\n\n--\nToko Kita\nJl. Sudirman 1, Jakarta\n\nBerhenti berlangganan: https://t.kurir.test/u/1\n',
    );
    const own = await composeAndRead(
      composeInput({ body: { html: '<p>Halo</p>', text: 'Stop: {{link_unsubscribe}}' } }),
    );
    expect(own.text).toBe('Stop: https://t.kurir.test/u/1');
    const labelled = await composeAndRead(
      composeInput({ body: { html: '<a href="https://a.test">unsubscribe</a>', text: 'Halo' } }),
    );
    expect(labelled.text).toBe('Halo');
  });
});
