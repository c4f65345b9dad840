import { describe, expect, it } from '@jest/globals';
import { BrowserHtml } from '../../email/browser-html';
import { mergeValues } from '../../email/merge-values';
import { TEST_START } from '../support/clock';
import { processorTime } from '../support/processor-time';

const VALUES = mergeValues({
  to: 'budi@example.com',
  contactName: 'Budi <b>',
  business: { name: 'Toko Kita', address: 'Jl. Sudirman 1' },
  unsubscribeUrl: '',
  browserUrl: 'https://t.kurir.test/m/1',
  preheader: 'Hanya hari ini',
  subject: 'Promo <1>',
  now: TEST_START,
});
const render = (html: string): string => new BrowserHtml(html).render(VALUES);
/** The page without what is put into its head. */
const shown = (html: string): string =>
  render(html).replace(/^<meta[^>]*><title>[^<]*<\/title><style>[^<]*<\/style>/, '');

describe('the page of a mail', () => {
  it('has the tags filled, escaped, and the links as they were written, without a pixel', () => {
    const html =
      '<p>{{nama}} {{preheader}}</p><a href="https://a.test/?x=1&amp;y=2">x</a><a href="{{link_browser}}">y</a>';
    expect(shown(html)).toBe(
      '<p>Budi &lt;b&gt; Hanya hari ini</p><a href="https://a.test/?x=1&amp;y=2">x</a><a href="https://t.kurir.test/m/1">y</a>' +
        shown(''),
    );
  });

  it('has a footer without an unsubscribe link where the mail has one with it', () => {
    const page = shown('<body><p>Halo</p></body>');
    expect(page).toMatch(
      /<p>Halo<\/p><div [^>]*><div><strong>Toko Kita<\/strong><\/div><div>Jl. Sudirman 1<\/div><\/div>\n<\/body>$/,
    );
    expect(page).not.toContain('<a ');
  });

  // spec: docs/contract.md#browser-page: no link to unsubscribe
  it.each([
    ['<a href="{{unsubscribe_url}}">stop</a>', '<a href="#kurir-nowhere">stop</a>'],
    ['<a href="{{unsubscribe_url|https://a.test}}?x={{email}}">stop</a>', '<a href="#kurir-nowhere">stop</a>'],
    ['<a href="https://a.test/{{email}}"> <b>Unsubscribe</b></a>', '<a href="#kurir-nowhere"> <b>Unsubscribe</b></a>'],
    ["<a href='https://a.test'>Berhenti berlangganan</a>", "<a href='#kurir-nowhere'>Berhenti berlangganan</a>"],
    ['<a href=https://a.test/x>berhenti langganan</a>', '<a href=#kurir-nowhere>berhenti langganan</a>'],
    ['<p>Stop: {{link_unsubscribe|https://a.test}}.</p>', '<p>Stop: .</p>'],
    [
      '<!--[if mso]><a href="{{unsubscribe_url}}">x</a><![endif]--><a href="{{unsubscribe_url}}">y</a>',
      '<!--[if mso]><a href="#kurir-nowhere">x</a><![endif]--><a href="#kurir-nowhere">y</a>',
    ],
  ])('does not let others unsubscribe the recipient: %s', (html, expected) => {
    expect(shown(html)).toBe(expected);
  });

  it('hides the links that lead nowhere, and gives plain content a readable width', () => {
    expect(render('<p>Halo</p>')).toContain('<style>[href="#kurir-nowhere"]{display:none!important}');
    expect(render('<p>Halo</p>')).toContain('max-width:40rem');
    expect(render('<body><p>Halo</p></body>')).not.toContain('max-width');
  });

  it('has a title and a width for phones, unless the mail brings its own', () => {
    expect(render('<!DOCTYPE html>\n<p>Halo</p>')).toMatch(
      /^<!DOCTYPE html><meta name="viewport" content="width=device-width"><title>Promo &lt;1&gt;<\/title><style>[^<]*<\/style>\n<p>/,
    );
    const own = '<!doctype html><head><meta content="x" name="viewport"><TITLE>a</TITLE></head>';
    expect(render(own)).not.toMatch(/width=device-width|Promo/);
  });

  it('puts its style into the head, where the mail has one', () => {
    const start = '<!doctype html>\n<html lang="id" data-x="a>b">\n<head>';
    expect(render(`${start}<title>a</title></head><body>x</body></html>`)).toMatch(
      /^<!doctype html>\n<html lang="id" data-x="a>b">\n<head><meta name="viewport"/,
    );
    expect(render('<html><body>x</body></html>')).toMatch(/^<html><meta name="viewport"/);
    expect(render('<header>x</header>')).toMatch(/^<meta name="viewport"/);
  });

  it('of half a million characters is made in one go, whatever they are', async () => {
    for (const piece of [
      '<a href="{{unsubscribe_url}}">unsubscribe</a>',
      '{{unsubscribe_url}}',
      '<meta name=',
      '<title',
    ]) {
      const html = piece.repeat(Math.floor(500_000 / piece.length));
      expect(await processorTime(() => render(html))).toBeLessThan(5_000);
    }
  });
});
