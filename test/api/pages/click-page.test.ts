import { describe, expect, it } from '@jest/globals';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { TEST_START } from '../../support/clock';
import { closedEngine, forge, keepingLogger, mail, pagesApp, recorded, tokensOf } from './pages-app';

describe('GET /t/c/<token>/<n>', () => {
  const subject = sharedEngine(openTemporary);
  const SHOP = 'https://toko.contoh.test/produk?a=1&b=2#atas';

  // spec: docs/contract.md#tracked-links: each `href` with a double-quoted http(s) URL becomes a tracking link that
  //   redirects
  it('redirects to destination n of the stored list', async () => {
    const { paths } = await mail(subject, ['https://satu.contoh.test/', SHOP]);
    const answer = await pagesApp(subject).get(`${paths.clicks}1`).expect(302);
    expect(answer.headers['location']).toBe(SHOP);
  });

  it('is kept by no cache and no index, and does not name the link to the destination', async () => {
    const { paths } = await mail(subject, [SHOP]);
    await pagesApp(subject)
      .get(`${paths.clicks}0`)
      .expect('Cache-Control', 'no-store')
      .expect('Referrer-Policy', 'no-referrer')
      .expect('X-Robots-Tag', 'noindex');
  });

  it('has recorded the click with its destination by the time it answers', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    await pagesApp(subject).get(`${paths.clicks}0`).expect(302);
    expect(await recorded(subject, message)).toEqual([
      {
        id: expect.any(String),
        messageId: message.id,
        kind: 'click',
        at: TEST_START,
        link: 0,
        method: 'GET',
        agent: null,
        network: null,
        client: expect.any(String),
      },
    ]);
  });

  it('records every click, each under an id of its own', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    for (let i = 0; i < 3; i += 1) await pagesApp(subject).get(`${paths.clicks}0`).expect(302);
    const ids = (await recorded(subject, message)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('cannot be bent by anything in the URL', async () => {
    const { paths } = await mail(subject, [SHOP]);
    const answer = await pagesApp(subject).get(`${paths.clicks}0?url=https://jahat.contoh.test&n=1`).expect(302);
    expect(answer.headers['location']).toBe(SHOP);
  });

  it('answers 404 with a page in Indonesian to a number that is not in the list', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    for (const n of [
      '1',
      '-1',
      '00',
      '0x0',
      '1e0',
      '999999999999999999999',
      '__proto__',
      'length',
      '%2e%2e',
      '%E0%A4%A',
    ]) {
      const answer = await pagesApp(subject).get(`${paths.clicks}${n}`).expect(404);
      expect(answer.type).toBe('text/html');
      expect(answer.text).toContain('<html lang="id">');
      expect(answer.text).toContain('Tautan tidak ditemukan');
    }
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('answers 404 to a forged token, and to the tokens of the other links of the mail', async () => {
    const mailed = await mail(subject, [SHOP]);
    const { message, paths } = mailed;
    for (const path of [
      forge(`${paths.clicks}0`),
      `/t/c/${tokensOf(mailed).open}/0`,
      `/t/c/${tokensOf(mailed).unsubscribe}/0`,
      `/t/c/${message.id}/0`,
      '/t/c/x/0',
      `/t/c/${'A'.repeat(5_000)}/0`,
      '/t/c/%00/0',
    ]) {
      await pagesApp(subject).get(path).expect(404).expect('Content-Type', /html/);
    }
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('answers 404 before hand-off, when the message has no links yet', async () => {
    const { message, paths } = await mail(subject);
    await pagesApp(subject).get(`${paths.clicks}0`).expect(404);
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('redirects to http and https only', async () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,x',
      'mailto:a@b.test',
      '//tanpa.skema.test',
      '/lokal',
      'https://',
      '',
    ];
    const { message, paths } = await mail(subject, links);
    for (const n of links.keys()) {
      const answer = await pagesApp(subject).get(`${paths.clicks}${n}`).expect(404);
      expect(answer.headers).not.toHaveProperty('location');
    }
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('lets no stored destination write a header of its own', async () => {
    const { paths } = await mail(subject, [
      'https://a.test/\r\nSet-Cookie: x=1\r\n\r\n<b>',
      'https://a.test/?q=\u0000\u2028\n',
    ]);
    for (const n of [0, 1]) {
      const answer = await pagesApp(subject).get(`${paths.clicks}${n}`).expect(302);
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(answer.headers['location']).toMatch(/^https:\/\/a\.test\/[\x21-\x7e]*$/);
    }
  });

  it('reaches destinations with other letters as a browser would, and records their place', async () => {
    const url = 'http://kafé.contoh.test/jalan baru?x=é';
    const { message, paths } = await mail(subject, [url]);
    const answer = await pagesApp(subject).get(`${paths.clicks}0`).expect(302);
    expect(answer.headers['location']).toBe('http://xn--kaf-dma.contoh.test/jalan%20baru?x=%C3%A9');
    expect(await recorded(subject, message)).toMatchObject([{ link: 0 }]);
  });

  it('answers HEAD alike and records it as such, so that it is known as a machine', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    await pagesApp(subject).head(`${paths.clicks}0`).expect(302).expect('Location', SHOP);
    expect(await recorded(subject, message)).toMatchObject([{ kind: 'click', link: 0, method: 'HEAD' }]);
  });

  // spec: docs/contract.md#machines: what a program loads by itself is no click of a person
  it.each([
    ['a style sheet', { 'Sec-Fetch-Dest': 'style' }],
    ['a font', { 'Sec-Fetch-Dest': 'font', 'Sec-Fetch-Mode': 'cors' }],
    ['an image', { 'Sec-Fetch-Dest': 'image' }],
    ['a script', { 'Sec-Fetch-Dest': 'script' }],
    ['what a script fetches', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
    ['a style sheet, by an older browser', { Accept: 'text/css,*/*;q=0.1' }],
    ['an image, by an older browser', { Accept: 'image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5' }],
    ['a font, by an older browser', { Accept: 'application/font-woff2;q=1.0,application/font-woff;q=0.9,*/*;q=0.8' }],
    ['a prefetch', { 'Sec-Purpose': 'prefetch', 'Sec-Fetch-Dest': 'document' }],
    ['a prerender', { 'Sec-Purpose': 'prefetch;prerender', 'Sec-Fetch-Dest': 'document' }],
    ['a prefetch of an older browser', { Purpose: 'prefetch', Accept: 'text/html' }],
    ['a prefetch of an older Firefox', { 'X-Moz': 'prefetch' }],
    ['a preview', { 'X-Purpose': 'preview' }],
  ])('redirects, and records as a machine: %s', async (_what, headers: Record<string, string>) => {
    const { message, paths } = await mail(subject, [SHOP]);
    await pagesApp(subject).get(`${paths.clicks}0`).set(headers).expect(302).expect('Location', SHOP);
    expect(await recorded(subject, message)).toMatchObject([{ kind: 'click', agent: 'prefetch' }]);
  });

  it.each([
    ['a page', { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' }],
    ['a page in the frame of a webmail', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }],
    ['a page, by an older browser', { Accept: 'text/html,application/xhtml+xml,image/webp,*/*;q=0.8' }],
    ['anything', { Accept: '*/*' }],
    ['an empty purpose', { 'Sec-Purpose': '', Purpose: 'x' }],
  ])('records a click of a person on %s', async (_what, headers: Record<string, string>) => {
    const { message, paths } = await mail(subject, [SHOP]);
    await pagesApp(subject).get(`${paths.clicks}0`).set(headers).expect(302);
    expect(await recorded(subject, message)).toMatchObject([{ kind: 'click', agent: null }]);
  });

  // spec: docs/contract.md#machines: 100 an hour from one network
  it('records classes and a mark of the client, never its address or its user agent', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    const app = pagesApp(subject, { trustedHops: 1 });
    const agent = 'Mozilla/5.0 (rahasia) Barracuda';
    const click = (from: string, userAgent: string) =>
      app.get(`${paths.clicks}0`).set('X-Forwarded-For', from).set('User-Agent', userAgent).expect(302);
    await click('209.222.82.7', agent);
    await click('209.222.82.7', 'Mozilla/5.0 (rahasia) Chrome/126.0');
    await click('203.0.113.9', 'x (via ggpht.com GoogleImageProxy)');
    const hits = await recorded(subject, message);
    expect(hits.map(({ method, agent: known, network }) => [method, known, network])).toEqual([
      ['GET', 'scanner', 'scanner'],
      ['GET', null, 'scanner'],
      ['GET', 'proxy', null],
    ]);
    expect(hits.map(({ client }) => client)).toEqual([hits[0]?.client, hits[0]?.client, null]);
    expect(hits[0]?.client).toMatch(/^[0-9a-f]{4}$/);
    expect(JSON.stringify(hits)).not.toMatch(/209\.222|203\.0|rahasia/);
  });

  it('answers a page without a destination for the link that no person sees, and records it as no click', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    const { text, headers } = await pagesApp(subject).get(`${paths.clicks}h`).expect(200);
    expect(text).toContain('Halaman tidak ditemukan');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(headers['location']).toBeUndefined();
    expect(await recorded(subject, message)).toMatchObject([{ kind: 'hidden', link: null }]);
  });

  it('knows no such link under a changed token', async () => {
    const { paths } = await mail(subject, [SHOP]);
    await pagesApp(subject)
      .get(forge(`${paths.clicks}0`).replace(/0$/, 'h'))
      .expect(404);
  });

  it('answers 405 to other methods and records nothing', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
      await pagesApp(subject)[method](`${paths.clicks}0`).expect(405).expect('Allow', 'GET, HEAD');
    }
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('redirects also when the log refuses the click, and says so to the operator', async () => {
    const { message, paths } = await mail(subject, [SHOP]);
    const { logger, lines } = keepingLogger();
    const { log } = await closedEngine();
    await pagesApp(subject, { log, logger }).get(`${paths.clicks}0`).expect(302).expect('Location', SHOP);
    expect(lines).toMatchObject([{ level: 40, kind: 'click', messageId: message.id }]);
  });

  it('redirects also when the log does not answer', async () => {
    const { paths } = await mail(subject, [SHOP]);
    const log = { publish: () => new Promise<void>(() => undefined) };
    const timeouts = { click: 20, open: 20, hidden: 20, unsubscribe: 20 };
    await pagesApp(subject, { log, timeouts }).get(`${paths.clicks}0`).expect(302).expect('Location', SHOP);
  });

  it('answers a page when the store cannot be read, and says so to the operator', async () => {
    const { paths } = await mail(subject, [SHOP]);
    const { logger, lines } = keepingLogger();
    const { stores } = await closedEngine();
    const answer = await pagesApp(subject, { stores, logger }).get(`${paths.clicks}0`);
    expect([500, 503]).toContain(answer.status);
    expect(answer.text).toContain('Terjadi kesalahan');
    expect(lines).toMatchObject([{ level: 50, method: 'GET' }]);
  });

  it('answers shortened links with the same page, and never with the JSON of the API', async () => {
    for (const path of ['/t', '/t/', '/t/c', '/t/c/', '/t/c/abc', '/t/c/a/b/c', '/t/x', '/u', '/u/', '/u/a/b']) {
      const answer = await pagesApp(subject).get(path).expect(404);
      expect(answer.text).toContain('Tautan tidak ditemukan');
    }
  });

  // spec: docs/contract.md#machines: 100 an hour from one network
  it('records 100 an hour for a link from one network, and always leads on', async () => {
    const { message, paths } = await mail(subject, ['https://a.test/', 'https://b.test/']);
    const app = pagesApp(subject);
    for (let n = 0; n < 120; n += 1)
      await app.get(`${paths.clicks}0`).expect(302).expect('Location', 'https://a.test/');
    await app.get(`${paths.clicks}1`).expect(302);
    const hits = await recorded(subject, message);
    expect([hits.filter(({ link }) => link === 0).length, hits.filter(({ link }) => link === 1).length]).toEqual([
      100, 1,
    ]);
  });
});
