import { describe, expect, test } from '@jest/globals';
import { htmlOfText } from '../../../../smtp/relay/mail/html-of-text';
import { scanHtml } from '../../../../email/html-scan';
import { processorTime } from '../../../support/processor-time';

const inside = (text: string): string => /^<div>(.*)<\/div>\n$/s.exec(htmlOfText(text))![1]!;
const link = (url: string): string => `<a href="${url}">${url}</a>`;

describe('The HTML of a mail that has text only', () => {
  test('is escaped, with its line breaks and runs of spaces', () => {
    expect(inside('a < b & "c"\n  d   e\tf')).toBe(
      'a &lt; b &amp; &quot;c&quot;<br>\n&nbsp; d&nbsp;&nbsp; e&nbsp;&nbsp;&nbsp; f',
    );
  });

  test.each([
    ['see https://a.test/x?a=1&b=2.', `see ${link('https://a.test/x?a=1&amp;b=2')}.`],
    ['(http://a.test/b_(c))', `(${link('http://a.test/b_(c)')})`],
    ['<https://a.test/>', `&lt;${link('https://a.test/')}&gt;`],
    ['HTTPS://a.test!?', `${link('HTTPS://a.test')}!?`],
    ['https://a.test/"onclick="x', `${link('https://a.test/')}&quot;onclick=&quot;x`],
    ['|https://a.test/x|', `|${link('https://a.test/x')}|`],
    ['||https://a.test/x||b|', `||${link('https://a.test/x')}||b|`],
    ['|https://a.test/x|https://b.test/y|', `|${link('https://a.test/x')}|${link('https://b.test/y')}|`],
    ['|[x](https://a.test/x)|', `|[x](${link('https://a.test/x')})|`],
    ['https://a.test/?f=a|b', link('https://a.test/?f=a|b')],
    ['https://a.test/x|', `${link('https://a.test/x')}|`],
    ['`https://a.test/x`', `\`${link('https://a.test/x')}\``],
    ['“https://a.test/x”, ‘https://a.test/y’', `“${link('https://a.test/x')}”, ‘${link('https://a.test/y')}’`],
    ['«https://a.test/x»', `«${link('https://a.test/x')}»`],
    ["'https://a.test/x'y", `&#39;${link('https://a.test/x')}&#39;y`],
    ['[https://a.test/x]y', `[${link('https://a.test/x')}]y`],
    ['https://a.test/x。', `${link('https://a.test/x')}。`],
    ['http://, https://[ javascript:x ftp://a.test', 'http://, https://[ javascript:x ftp://a.test'],
  ])('links: %s', (text, html) => {
    expect(inside(text)).toBe(html);
  });

  test.each([
    ['Halo {{nama|Budi & "co"}}', 'Halo {{nama|Budi & "co"}}'],
    [
      'https://a.test/?e={{email}}&n={{ nama | x y }}.',
      `${link('https://a.test/?e={{email}}&amp;n={{ nama | x y }}')}.`,
    ],
    ['|https://a.test/{{nama|x|y}}|', `|${link('https://a.test/{{nama|x|y}}')}|`],
    ['|{{nama|https://a.test/x|}}|', '|{{nama|https://a.test/x|}}|'],
    ['{{unsubscribe_url}}', link('{{unsubscribe_url}}')],
    ['{{lain|"x"}} {{', '{{lain|&quot;x&quot;}} {{'],
    ['{{nama|https://a.test}}', '{{nama|https://a.test}}'],
  ])('merge tags: %s', (text, html) => {
    expect(inside(text)).toBe(html);
  });

  test.each(['|https://a.test', "'https://", '[https://a{{', '“https://a.test|'])(
    'half a million characters of %s are read in one go',
    async (piece) => {
      const text = piece.repeat(500_000 / piece.length);
      expect(await processorTime(() => htmlOfText(text))).toBeLessThan(10_000);
    },
  );

  test('its links are found by the composer, which tracks them', () => {
    const html = htmlOfText('a https://a.test/1, https://a.test/2\n{{unsubscribe_url}}');
    const hrefs = scanHtml(html).hrefs.map(({ start, end }) => html.slice(start, end));
    expect(hrefs).toEqual(['https://a.test/1', 'https://a.test/2', '{{unsubscribe_url}}']);
  });
});
