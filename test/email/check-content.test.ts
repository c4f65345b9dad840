import { describe, expect, it } from '@jest/globals';
import { checkContent, type WrittenContent } from '../../email/check-content';
import { processorTime } from '../support/processor-time';

/** A campaign without anything to warn of. */
const GOOD: WrittenContent = {
  subject: 'Promo untuk {{nama|Kak}}',
  preheader: 'Hanya hari ini',
  html: '<p>Halo {{nama}}</p><a href="https://a.test">x</a><a href="mailto:cs@a.test">y</a><a href="{{unsubscribe_url}}">stop</a><img src="https://a.test/x.png" alt="">',
  text: null,
};
const warnings = (change: Partial<WrittenContent>): string[] => checkContent({ ...GOOD, ...change }).map(String);
const inHtml = (html: string): string[] => warnings({ html: `${html}{{unsubscribe_url}}` });

describe('content of a campaign', () => {
  it('that is in order has no warnings', () => {
    expect(checkContent(GOOD)).toEqual([]);
    expect(warnings({ html: null })).toEqual(['Add the HTML: without it, the campaign cannot be sent.']);
  });

  it.each([
    [{ subject: ' ' }, 'The subject is empty.'],
    [{ subject: 'a'.repeat(61) }, 'The subject has 61 characters. Most inboxes show at most 60.'],
    [{ preheader: null }, 'There is no preview text. Inboxes show the first words of the email instead.'],
    [{ preheader: '🌸'.repeat(131) }, 'The preview text has 131 characters. Most inboxes show at most 130.'],
    [{ html: '<p>Halo</p>' }, 'There is no unsubscribe link. A footer with one will be added.'],
    [{ html: '<!-- {{unsubscribe_url}} -->' }, 'There is no unsubscribe link. A footer with one will be added.'],
    [{ html: `{{unsubscribe_url}}${'é'.repeat(53_000)}` }, 'The HTML has 104 kB. Gmail cuts off emails above 102 kB.'],
    [{ text: '{{nama}} {{kode}}' }, 'Unknown merge tags: {{kode}}. They are sent as written.'],
    [
      { subject: '{{Nama}} {{a b}}', preheader: '{{a b}}', html: '{{unsubscribe_url}}{{c}}{{d|x}}{{e}}' },
      'Unknown merge tags: {{a b}}, {{c}}, {{d|x}} and 1 more. They are sent as written.',
    ],
  ])('%j: %s', (change, expected) => {
    expect(warnings(change)).toEqual([expected]);
  });

  it.each([
    ['<a href="">x</a><a href>x</a><a href=" # ">x</a>', 'Links without a destination: 3. Add a URL to each.'],
    [
      '<a href=" JavaScript:alert(1)">x</a>',
      'Links that run a script: JavaScript:alert(1). Email apps do not open them.',
    ],
    [
      '<a href="/promo">x</a><a href="promo.html">y</a><a href="//a.test">z</a>',
      'Relative links: /promo, promo.html, //a.test. They do not work in an email; use the full URL.',
    ],
    [
      '<a href="http://a.test/x">x</a>',
      'Links without encryption (http): http://a.test/x. Use https if the site supports it.',
    ],
    [
      "<a href=https://a.test>x</a><area href='https://b.test'>",
      'Links without double quotes around the URL: https://a.test, https://b.test. Their clicks are not tracked.',
    ],
    [
      '<img src="https://a.test/x.png">',
      'Images without alt text: https://a.test/x.png. Many recipients do not see images at first.',
    ],
    ['<img src="logo.png" alt="Logo">', 'Images without a public URL: logo.png. They are not displayed.'],
    ['<script>x</script>', 'The HTML contains a script. Email apps do not run scripts.'],
  ])('%s: %s', (html, expected) => {
    expect(inHtml(html)).toEqual([expected]);
  });

  it.each([
    '<a href="#bawah">x</a><a name="bawah">y</a>',
    '<a href="{{link_browser}}">x</a><a href="tel:+62">y</a>',
    '<a href="https://a.test/{{email}}">x</a><img src="cid:logo" alt="Logo">',
    '<!-- <a href="x"><img> --><textarea><a href="y"></textarea>',
    '<a title="{{nama|"}}" href="https://a.test">x</a>',
  ])('nothing is said of %s', (html) => {
    expect(inHtml(html)).toEqual([]);
  });

  it('of half a million characters is read in one go, whatever they are', async () => {
    for (const piece of ['<a href=x ', '{{', '<img', '{{x}}', '<a href="x">']) {
      const html = piece.repeat(Math.floor(500_000 / piece.length));
      expect(await processorTime(() => checkContent({ ...GOOD, html }))).toBeLessThan(5_000);
    }
  });
});
