import { describe, expect, it } from '@jest/globals';
import { MESSAGE_ID, composeInput, LINKS } from './support/compose-input';
import { composeAndRead } from './support/read-mail';
import type { ComposeInput } from '../../email/compose';

const FOOTER = /Toko Kita.*Jl\. Sudirman 1, Jakarta.*href="https:\/\/t\.kurir\.test\/u\/1".*Berhenti berlangganan/s;
const PIXEL = /<img src="https:\/\/t\.kurir\.test\/o\/1\.gif"[^>]*>/;
/** Keeps the footer away, so that a test sees what it is about. */
const STOP = '<a href="{{unsubscribe_url}}">stop</a>';
const STOPPED = '<a href="https://t.kurir.test/u/1">stop</a>';

const read = (html: string, change: Partial<ComposeInput> = {}) =>
  composeAndRead(composeInput({ ...change, body: { html, text: 'x' } }));

/** The html that stands before the given mark, and the destinations. */
async function tracked(
  html: string,
  change: Partial<ComposeInput> = {},
): Promise<{ html: string; destinations: string[] }> {
  const mail = await read(`${html}<!--end-->${STOP}`, change);
  return { html: mail.html.split('<!--end-->')[0]!, destinations: mail.destinations };
}

describe('merge tags in html', () => {
  // spec: docs/contract.md#merge-tags: merge tags: values are HTML-escaped
  it('values and fallbacks are HTML-escaped', async () => {
    const mail = await tracked('<p title="{{nama}}">{{nama}} {{preheader|<b>"Tom" & \'Jerry\'</b>}}</p>', {
      contactName: `<i>"A" & 'B'</i>`,
    });
    const escaped = '&lt;i&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/i&gt;';
    expect(mail.html).toBe(
      `<p title="${escaped}">${escaped} &lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;</p>`,
    );
  });

  it('a value that looks like a tag or a link stays text', async () => {
    const mail = await tracked('{{nama}}', { contactName: '{{email}} <a href="https://evil.test">x</a>' });
    expect(mail.html).toBe('{{email}} &lt;a href=&quot;https://evil.test&quot;&gt;x&lt;/a&gt;');
    expect(mail.destinations).toEqual([]);
  });

  it('are filled everywhere: in comments, scripts and styles too', async () => {
    const mail = await tracked('<!-- {{email}} --><style>/*{{tahun}}*/</style>{{unknown}}');
    expect(mail.html).toBe('<!-- Budi@Example.com --><style>/*2026*/</style>{{unknown}}');
  });
});

describe('the link that no person sees', () => {
  const HIDDEN = `<a href="${LINKS.clicks}h" aria-hidden="true" tabindex="-1" style="display:none"></a>`;

  // spec: docs/contract.md#machines: the hidden link
  it('stands at the end of a mail with a tracked link: no text, not shown, not read out, not reached by the keyboard', async () => {
    const { html, destinations } = await read('<p><a href="https://a.test">a</a></p><!--end-->');
    expect(html.split('<!--end-->')[1]).toContain(`${HIDDEN}<img `);
    expect(destinations).toEqual(['https://a.test']);
  });

  it('is left out of a mail without tracked links, and when links are not tracked', async () => {
    expect((await read('<p>Halo</p>')).html).not.toContain('aria-hidden');
    const links = { ...LINKS, clicks: null };
    expect((await read('<a href="https://a.test">a</a>', { links })).html).not.toContain('aria-hidden');
  });
});

describe('what a mail program loads by itself is neither rewritten nor counted', () => {
  // spec: docs/contract.md#tracked-links: only what a person clicks
  it('as the web font in the head of an MJML template', async () => {
    const head = `<!doctype html><html xmlns:v="urn:schemas-microsoft-com:vml"><head>
<!--[if !mso]><!--><link href="https://fonts.googleapis.com/css?family=Ubuntu:300,400" rel="stylesheet" type="text/css">
<style type="text/css">@import url(https://fonts.googleapis.com/css?family=Ubuntu:300,400);</style><!--<![endif]-->
<!--[if mso]><link href="https://fonts.test/mso.css" rel="stylesheet" /><![endif]-->
</head><body>`;
    const mail = await tracked(`${head}<a href="https://toko.test/">toko</a>`);
    expect(mail).toEqual({
      html: `${head}<a href="${LINKS.clicks}0">toko</a>`,
      destinations: ['https://toko.test/'],
    });
  });

  // spec: docs/contract.md#tracked-links: only what a person clicks
  it.each([
    ...['stylesheet', 'preload', 'preconnect', 'dns-prefetch', 'icon', 'canonical'].map(
      (rel) => `<link rel="${rel}" href="https://a.test/x">`,
    ),
    '<LINK HREF="https://a.test/x.css" REL=stylesheet>',
    '<base href="https://a.test/"><a href="x">x</a>',
    '<svg><image href="https://a.test/x.png"/><use href="https://a.test/x.svg#i"/></svg>',
    '<svg><linearGradient href="https://a.test/x.svg#g"/><script href="https://a.test/x.js"></script></svg>',
    '<p href="https://a.test/">x</p>',
    '<object data="https://a.test/" href="https://a.test/"></object>',
    '<!--[if mso]><v:fill href="https://a.test/x.png" src="https://a.test/x.png" /><![endif]-->',
    '<!--[if mso]><v:imagedata href="https://a.test/x.png" o:href="https://a.test/x.png"/><![endif]-->',
  ])('%s', async (html) => {
    expect(await tracked(html)).toEqual({ html, destinations: [] });
  });

  it('its merge tags are filled all the same', async () => {
    const mail = await tracked('<link rel="stylesheet" href="https://a.test/{{tahun}}.css">');
    expect(mail).toEqual({ html: '<link rel="stylesheet" href="https://a.test/2026.css">', destinations: [] });
  });

  it('of an href that stands twice the first counts, as everywhere', async () => {
    expect(await tracked('<a href="https://a.test" href="https://b.test">x</a>')).toEqual({
      html: `<a href="${LINKS.clicks}0" href="https://b.test">x</a>`,
      destinations: ['https://a.test'],
    });
    const html = `<a href='https://a.test' href="https://b.test">x</a>`;
    expect(await tracked(html)).toEqual({ html, destinations: [] });
  });

  // spec: docs/contract.md#tracked-links: a, area and VML
  it.each(['rect', 'roundrect', 'shape', 'image', 'oval', 'line', 'polyline', 'curve', 'arc', 'group'])(
    'a v:%s is clicked',
    async (shape) => {
      const html = (url: string) =>
        `<!--[if mso]><v:${shape} href="${url}" fill="t"><w:anchorlock/></v:${shape}><![endif]-->`;
      const mail = await tracked(html('https://a.test'));
      expect(mail).toEqual({ html: html(`${LINKS.clicks}0`), destinations: ['https://a.test'] });
    },
  );

  it('a link in a picture (SVG) is clicked', async () => {
    const mail = await tracked('<svg><a href="https://a.test"><image href="https://a.test/x.png"/></a></svg>');
    expect(mail.html).toBe(`<svg><a href="${LINKS.clicks}0"><image href="https://a.test/x.png"/></a></svg>`);
  });
});

describe('each href with a double-quoted http(s) URL is replaced by a tracking link', () => {
  // spec: docs/contract.md#tracked-links: each `href` with a double-quoted http(s) URL becomes a tracking link that
  //   redirects
  it('in their order, with the URLs as they were meant', async () => {
    const mail = await tracked(
      '<a href="https://a.test/?x=1&amp;y=2#z">a</a> <A HREF="HTTP://B.test">b</A> <area href = "https://c.test/ö">',
    );
    expect(mail.html).toBe(
      '<a href="https://t.kurir.test/c/0">a</a> <A HREF="https://t.kurir.test/c/1">b</A> <area href = "https://t.kurir.test/c/2">',
    );
    expect(mail.destinations).toEqual(['https://a.test/?x=1&y=2#z', 'HTTP://B.test', 'https://c.test/ö']);
  });

  it('white space and line breaks around and in a URL are dropped', async () => {
    const mail = await tracked('<a href=" https://a.test/\n  x&#10;Set-Cookie:y\t">a</a>');
    expect(mail.destinations).toEqual(['https://a.test/  xSet-Cookie:y']);
  });

  // spec: docs/contract.md#tracked-links: each `href` with a double-quoted http(s) URL becomes a tracking link that
  //   redirects
  it.each([
    '<a href="mailto:cs@toko.example">x</a>',
    '<a href="tel:+62812">x</a>',
    '<a href=https://a.test>x</a>',
    "<a href='https://a.test'>x</a>",
    '<a href="/path">x</a>',
    '<a href="//a.test">x</a>',
    '<a href="#top">x</a>',
    '<a href="">x</a>',
    '<a href>x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="ftp://a.test">x</a>',
    '<a href="https://">x</a>',
    '<a href="see https://a.test">x</a>',
    '<a data-href="https://a.test" xlink:href="https://a.test" hrefs="https://a.test">x</a>',
    '<img src="https://a.test/x.png">',
    '<!-- <a href="https://a.test">x</a> -->',
    '<!--[if mso]><a href="https://a.test">x</a>-->',
    '<!-- [if mso]><a href="https://a.test">x</a><![endif]-->',
    '<!--[if mso]><!-- <a href="https://a.test">x</a><![endif]-->',
    '<!--[if mso]><script>"<a href="https://a.test">"</script><![endif]-->',
    '<script>const x = \'<a href="https://a.test">\';</script>',
    '<style>a { content: \'<a href="https://a.test">\' }</style>',
    '&lt;a href="https://a.test"&gt;',
    '</a href="https://a.test">',
  ])('and nothing else is: %s', async (html) => {
    expect(await tracked(html)).toEqual({ html, destinations: [] });
  });

  it('also where a merge tag makes or fills the URL, judged after merging', async () => {
    const html =
      '<a href="https://a.test/?e={{email}}&amp;n={{nama|x}}">a</a><a href="{{nama}}">b</a><a href="{{preheader|https://c.test}}">c</a>';
    const mail = await tracked(html, { contactName: 'a&b "c"' });
    expect(mail.html).toBe(
      '<a href="https://t.kurir.test/c/0">a</a><a href="a&amp;b &quot;c&quot;">b</a><a href="https://t.kurir.test/c/1">c</a>',
    );
    expect(mail.destinations).toEqual(['https://a.test/?e=Budi%40Example.com&n=a%26b%20%22c%22', 'https://c.test']);
  });

  it.each(['[if mso]', '[if (gte mso 9)|(IE)]', '[IF !mso]'])(
    'also in a comment for Outlook: %s',
    async (condition) => {
      const html = (first: string, second: string, third: string) =>
        `<a href="${first}">a</a><!--${condition}>\n<v:roundrect href="${second}" arcsize="8%"> <a href='#'>{{nama}}</a><![endif]--><a href="${third}">c</a>`;
      const mail = await tracked(html('https://a.test', 'https://b.test/?e={{email}}', 'https://c.test'), {
        contactName: 'B',
      });
      const links = [`${LINKS.clicks}0`, `${LINKS.clicks}1`, `${LINKS.clicks}2`] as const;
      expect(mail.html).toBe(html(...links).replace('{{nama}}', 'B'));
      expect(mail.destinations).toEqual(['https://a.test', 'https://b.test/?e=Budi%40Example.com', 'https://c.test']);
    },
  );

  it('a tag with quotes and brackets in its fallback does not cut the html', async () => {
    const mail = await tracked('<a title="{{nama|"><b>}}" href="https://a.test/{{nama|"x"}}">a</a>', {
      contactName: null,
    });
    expect(mail.html).toBe('<a title="&quot;&gt;&lt;b&gt;" href="https://t.kurir.test/c/0">a</a>');
    expect(mail.destinations).toEqual(['https://a.test/%22x%22']);
  });

  it('never the unsubscribe link itself', async () => {
    const mail = await read(`${STOP}<a href=" {{LINK_UNSUBSCRIBE}}?from=mail">stop</a>`);
    expect(mail.html).toContain(`${STOPPED}<a href=" https://t.kurir.test/u/1?from=mail">stop</a>`);
    expect(mail.destinations).toEqual([]);
  });

  it('in every mail of a template anew', async () => {
    const html = '<a href="https://a.test/">{{nama}}</a>';
    expect((await tracked(html, { contactName: 'A' })).html).toBe('<a href="https://t.kurir.test/c/0">A</a>');
    expect(
      (await tracked(html, { contactName: 'B', links: { ...LINKS, clicks: 'https://t.kurir.test/?a&b=' } })).html,
    ).toBe('<a href="https://t.kurir.test/?a&amp;b=0">B</a>');
  });
});

describe('if conversion tracking is on, destination links get svc_mid=<message_id>', () => {
  // spec: docs/contract.md#conversion-parameter: `svc_mid` when conversion tracking is on
  it.each([
    ['https://a.test', `https://a.test?svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?', `https://a.test/?svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?x=1', `https://a.test/?x=1&svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?x=1&amp;', `https://a.test/?x=1&svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?x=1#frag?y', `https://a.test/?x=1&svc_mid=${MESSAGE_ID}#frag?y`],
    ['https://a.test/#frag', `https://a.test/?svc_mid=${MESSAGE_ID}#frag`],
    ['https://a.test/?a=%2F|b&amp;a=é+ü', `https://a.test/?a=%2F|b&a=é+ü&svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?q=what?', `https://a.test/?q=what?&svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?svc_mid=old', `https://a.test/?svc_mid=${MESSAGE_ID}`],
    ['https://a.test/?a=1&amp;svc_mid=x&amp;b=2&amp;svc_mid#f', `https://a.test/?a=1&b=2&svc_mid=${MESSAGE_ID}#f`],
    [
      'https://a.test/?svc%5fmid=x&amp;a=%5F&amp;%E0svc_mid=y',
      `https://a.test/?a=%5F&%E0svc_mid=y&svc_mid=${MESSAGE_ID}`,
    ],
    ['https://a.test/?my_svc_mid=x', `https://a.test/?my_svc_mid=x&svc_mid=${MESSAGE_ID}`],
    ['https://a.test/Signature=x?y', `https://a.test/Signature=x?y&svc_mid=${MESSAGE_ID}`],
    ['https://a.test/{{email}}', `https://a.test/Budi%40Example.com?svc_mid=${MESSAGE_ID}`],
  ])('%s', async (url, destination) => {
    const mail = await tracked(`<a href="${url}">x</a>`, { trackConversions: true });
    expect(mail.destinations).toEqual([destination]);
  });

  // spec: docs/contract.md#conversion-parameter: signed links are left alone
  it.each([
    'https://s3.test/a?X-Amz-Date=1&X-Amz-Signature=af#b',
    'https://storage.test/a?X-Goog-Signature=af',
    'https://cdn.test/a?Expires=1&Signature=af&svc_mid=theirs',
  ])('but a signed one is left alone: %s', async (url) => {
    const mail = await tracked(`<a href="${url.replaceAll('&', '&amp;')}">x</a>`, { trackConversions: true });
    expect(mail.destinations).toEqual([url]);
  });

  // spec: docs/contract.md#conversion-parameter: hosts of KURIR_UNMARKED_HOSTS
  it.each([
    ['https://bank.test/?x=1', true],
    ['http://login.BANK.test:8443/', true],
    ['https://mybank.test/', false],
    ['https://bank.test.evil.test/', false],
  ])('nor one on a host of the list of hosts to leave alone: %s, %s', async (url, alone) => {
    const mail = await tracked(`<a href="${url}">x</a>`, { trackConversions: true, unmarkedHosts: ['bank.test'] });
    expect(mail.destinations[0] === url).toBe(alone);
  });

  // spec: docs/contract.md#conversion-parameter: `svc_mid` when conversion tracking is on
  it('and are left alone otherwise', async () => {
    expect((await tracked('<a href="https://a.test">x</a>')).destinations).toEqual(['https://a.test']);
  });
});

describe('a 1x1 tracking image is appended', () => {
  // spec: docs/contract.md#open-pixel: a 1×1 tracking image is appended
  it.each([
    ['<html><body>x</body></html>', /x<img[^>]*><\/body><\/html>$/],
    ['<body>x</BODY >', /x<img[^>]*><\/BODY >$/],
    ['<body>x</body><!-- </body> -->', /x<img[^>]*><\/body><!-- <\/body> -->$/],
    ['<body>x</body>y</body>', /x<\/body>y<img[^>]*><\/body>$/],
    ['x', /x<img[^>]*>$/],
    ['', /<img[^>]*>$/],
  ])('before the last </body>, or at the end: %s', async (html, expected) => {
    const mail = await read(html ? `${STOP}${html}` : html);
    expect(mail.html).toMatch(expected);
    expect(mail.html.match(new RegExp(PIXEL, 'g'))).toHaveLength(1);
  });
});

describe('a footer with business name, address and unsubscribe link is added if no unsubscribe link is present', () => {
  // spec: docs/contract.md#language: the footer is in the language of the workspace
  it('in the language of the workspace, in html and text', async () => {
    const mail = await composeAndRead(composeInput({ language: 'en', body: { html: '<p>Hello</p>', text: 'Hello' } }));
    expect(mail.html).toMatch(/>Unsubscribe<\/a>/);
    expect(mail.text).toContain('\n\nUnsubscribe: https://t.kurir.test/u/1');
    expect(mail.html + mail.text).not.toContain('Berhenti');
  });

  // spec: docs/contract.md#footer: footer when no unsubscribe link is present
  it('before </body>, its link not tracked', async () => {
    const mail = await read('<body><p>x</p></body>');
    expect(mail.html).toMatch(FOOTER);
    expect(mail.html).toMatch(/Berhenti berlangganan<\/a><\/div>\s*<\/div>\s*<img[^>]*><\/body>$/);
    expect(mail.destinations).toEqual([]);
  });

  it('with values escaped', async () => {
    const mail = await read('x', { business: { name: 'A & <B>', address: '' } });
    expect(mail.html).toContain('<strong>A &amp; &lt;B&gt;</strong>');
  });

  // spec: docs/contract.md#footer: footer when no unsubscribe link is present
  it.each([
    '<a href="{{unsubscribe_url}}">x</a>',
    '<a href="{{ Link_Berhenti_Langganan | x }}">x</a>',
    'Salin: {{link_unsubscribe}}',
    '<a href="https://a.test/out">Unsubscribe</a>',
    '<a href="https://a.test/out"> <b>un</b>SUBSCRIBE\n</a>',
    "<a class=x href='mailto:out@a.test'><span>Berhenti&nbsp;Langganan</span></a>",
    '<a href="https://a.test/out">berhenti  berlangganan</a>',
    "<a href=' {{unsubscribe_url}}'>x</a>",
    '<map><area href={{unsubscribe_url}}></map>',
    '<head><title>x</title></head><p>{{unsubscribe_url}}</p>',
    '<head><title>x</title><body><a href="https://a.test/out">unsubscribe</a>',
    '<template>x</template><a href="{{unsubscribe_url}}">x</a>',
  ])('not with %s', async (html) => {
    expect((await read(html)).html).not.toContain('Berhenti berlangganan</a></div>');
  });

  // spec: docs/contract.md#footer: footer when no unsubscribe link is present
  it.each([
    'unsubscribe',
    '<a href="https://a.test">Unsubscribe here</a>',
    '<a>unsubscribe</a>',
    '<a name="x">unsubscribe</a>',
    '<button>unsubscribe</button>',
    '<!-- <a href="https://a.test">unsubscribe</a> -->',
    '<!-- {{unsubscribe_url}} -->',
    '<style>/* {{unsubscribe_url}} */</style>',
    '<a href="https://a.test">x</a>unsubscribe',
    '<a href="https://a.test"><img alt="unsubscribe"></a>',
    '<a href="">unsubscribe</a>',
    '<a href=" ">unsubscribe</a>',
    '<a href="#">unsubscribe</a>',
    '<a href=" &#35;x">unsubscribe</a>',
    '<a href="#" href="https://a.test">unsubscribe</a>',
    '<a href="javascript:void(0)">unsubscribe</a>',
    '<a href="#{{unsubscribe_url}}">x</a>',
    '<p title="{{unsubscribe_url}}">x</p>',
    '<a title="{{unsubscribe_url}}" href="https://a.test">x</a>',
    '<img src="{{unsubscribe_url}}">',
    '<link href="{{unsubscribe_url}}">',
    '<title>{{unsubscribe_url}}</title>',
    '<script>"{{unsubscribe_url}}"</script>',
    '<template><a href="{{unsubscribe_url}}">u</a></template>',
    '<template><a href="https://a.test">unsubscribe</a>{{unsubscribe_url}}</template>',
    '<head><a href="{{unsubscribe_url}}">u</a></head><p>x</p>',
    '<!--[if mso]><a href="{{unsubscribe_url}}">unsubscribe</a><![endif]-->',
  ])('but with %s', async (html) => {
    expect((await read(html)).html).toMatch(FOOTER);
  });
});

describe('footer and image cannot be swallowed by html that does not end', () => {
  it.each([
    '<!-- x',
    '<!x',
    '<a href="https://a.test',
    '<a href="https://a.test" ',
    '<div',
    '</div',
    '<script>x',
    '<style>',
    '<title>x</titl',
    '<textarea>',
    '<plaintext>x',
    '<template><p>x</p></body>',
    '<!--[if mso]><p>x</p><![endif]',
  ])('they stand before %s', async (end) => {
    const mail = await read(`<p>x</p>${end}`);
    const [before, after] = [mail.html.slice(0, -end.length), mail.html.slice(-end.length)];
    expect(after).toBe(end);
    expect(before).toMatch(FOOTER);
    expect(before).toMatch(PIXEL);
  });
});

describe('html as callers write it', () => {
  it.each([
    '<a href="https://a.test',
    '<a href="https://a.test" ',
    '<',
    '<!--',
    '<script>',
    '</',
    '<a href=',
    'a\u0000b \u{1f600} \u00e9',
    '<p>\r\n.\r\nFrom me\n\n</p>   \n\t\n',
  ])('comes through unchanged: %j', async (html) => {
    const { html: sent, destinations } = await read(`${STOP}${html}`);
    expect(sent.replace(PIXEL, '')).toBe(`${STOPPED}${html.replaceAll('\r\n', '\n')}`);
    expect(destinations).toEqual([]);
  });

  it.each([
    '<div>'.repeat(100_000),
    '<a href="https://a.test">'.repeat(20_000),
    '<!-- {{unsubscribe_url}} -->'.repeat(17_000),
    '<a href="{{email}}">'.repeat(25_000),
    '<'.repeat(500_000),
    '&'.repeat(500_000),
    `<a href="${'&amp;'.repeat(99_000)}">`,
    `<a href="https://a.test/${' '.repeat(490_000)}x">`,
    '<a href="x">un'.repeat(35_000),
    `<p ${'a="b" '.repeat(80_000)}>`,
    `${'<!--[if a]>'.repeat(24_000)}${'<![endif]'.repeat(24_000)}-->`,
    `<!--[if a]>${'<![endif] '.repeat(48_000)}x-->`,
    '<!--[if a]><a href="https://a.test"><![endif]-->'.repeat(10_000),
  ])('of half a million hostile characters is composed (%#)', async (html) => {
    const mail = await read(html);
    expect(mail.html).toMatch(FOOTER);
    expect(mail.html).toMatch(PIXEL);
  });
});
