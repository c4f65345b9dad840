import { describe, expect, it } from '@jest/globals';
import { scanHtml } from '../../email/html-scan';
import { htmlToText } from '../../email/plain-text';
import { composeInput } from './support/compose-input';
import { composeAndRead } from './support/read-mail';

const toText = (html: string): string => htmlToText(html, scanHtml(html));
const DEEP = '<div>'.repeat(600);

describe('text is generated from html', () => {
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

describe('the text part of a mail', () => {
  it('is generated when text is null or empty, with merge tags filled raw and links not tracked', async () => {
    const html =
      '<p>Halo {{nama}} &amp; {{preheader|A & B}}</p><a href="https://a.test/?e={{email}}">x</a> <a href="{{unsubscribe_url}}">stop</a>';
    for (const text of [null, '']) {
      const mail = await composeAndRead(
        composeInput({ body: { html, text }, contactName: '<b>"Budi"</b>', trackConversions: true }),
      );
      expect(mail.text).toBe(
        'Halo <b>"Budi"</b> & A & B\n\nx [https://a.test/?e=Budi@Example.com] stop [https://t.kurir.test/u/1]',
      );
    }
  });

  it('is the given one, its tags filled once', async () => {
    const text = 'Halo {{nama_depan}}\r\n{{email}} {{unknown}}\n  dua  spasi \n{{unsubscribe_url}}';
    const mail = await composeAndRead(composeInput({ body: { html: 'x', text }, contactName: '{{email}} B' }));
    expect(mail.text).toBe('Halo {{email}}\nBudi@Example.com {{unknown}}\n  dua  spasi \nhttps://t.kurir.test/u/1');
  });

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
