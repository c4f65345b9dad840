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
    expect(warnings({ html: null })).toEqual(['There is no HTML yet: without it the campaign cannot be sent.']);
  });

  it.each([
    [{ subject: ' ' }, 'The subject is empty.'],
    [{ subject: 'a'.repeat(61) }, 'The subject has 61 characters: most mail programs show no more than 60.'],
    [{ preheader: null }, 'There is no preheader: mail programs show the first words of the mail instead.'],
    [{ preheader: '🌸'.repeat(131) }, 'The preheader has 131 characters: most mail programs show no more than 130.'],
    [{ html: '<p>Halo</p>' }, 'There is no unsubscribe link: a footer with one is added.'],
    [{ html: '<!-- {{unsubscribe_url}} -->' }, 'There is no unsubscribe link: a footer with one is added.'],
    [{ html: `{{unsubscribe_url}}${'é'.repeat(53_000)}` }, 'The HTML has 104 kB: Gmail cuts off what is above 102 kB.'],
    [{ text: '{{nama}} {{kode}}' }, 'Unknown merge tags: {{kode}}. They are sent as they are written.'],
    [
      { subject: '{{Nama}} {{a b}}', preheader: '{{a b}}', html: '{{unsubscribe_url}}{{c}}{{d|x}}{{e}}' },
      'Unknown merge tags: {{a b}}, {{c}}, {{d|x}} and 1 more. They are sent as they are written.',
    ],
  ])('%j: %s', (change, expected) => {
    expect(warnings(change)).toEqual([expected]);
  });

  it.each([
    ['<a href="">x</a><a href>x</a><a href=" # ">x</a>', 'Links without a target: 3. They lead nowhere.'],
    ['<a href=" JavaScript:alert(1)">x</a>', 'Links with a script: JavaScript:alert(1). No mail program follows them.'],
    [
      '<a href="/promo">x</a><a href="promo.html">y</a><a href="//a.test">z</a>',
      'Relative links: /promo, promo.html, //a.test. They lead nowhere in a mail: write the whole address.',
    ],
    [
      '<a href="http://a.test/x">x</a>',
      'Links that are not encrypted (http): http://a.test/x. Use https where the site has it.',
    ],
    [
      "<a href=https://a.test>x</a><area href='https://b.test'>",
      'Links without double quotes around their address: https://a.test, https://b.test. Their clicks are not counted.',
    ],
    [
      '<img src="https://a.test/x.png">',
      'Images without a description (alt): https://a.test/x.png. Many readers see no images at first.',
    ],
    ['<img src="logo.png" alt="Logo">', 'Images without an address on the web: logo.png. They do not show.'],
    ['<script>x</script>', 'The HTML has a script: no mail program runs it.'],
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
