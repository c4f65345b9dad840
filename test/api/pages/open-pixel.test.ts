import { describe, expect, it } from '@jest/globals';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { TEST_START } from '../../support/clock';
import { closedEngine, forge, keepingLogger, mail, pagesApp, recorded, tokensOf } from './pages-app';

describe('GET /t/o/<token>.gif', () => {
  const subject = sharedEngine(openTemporary);

  // spec: docs/contract.md#open-pixel: a 1×1 tracking image is appended
  it('answers a transparent GIF of one dot in 43 bytes that no cache keeps', async () => {
    const { paths } = await mail(subject);
    const answer = await pagesApp(subject).get(paths.open).expect(200);
    const gif = answer.body as Buffer;
    expect(answer.type).toBe('image/gif');
    expect(answer.headers).toMatchObject({
      'content-length': '43',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    expect(gif.subarray(0, 6).toString('latin1')).toBe('GIF89a');
    expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([1, 1]);
    // Graphic control extension with its transparency flag, and the trailer of the file.
    expect(gif.subarray(19, 23)).toEqual(Buffer.from([0x21, 0xf9, 0x04, 0x01]));
    expect(gif.at(-1)).toBe(0x3b);
  });

  it('has recorded the open by the time it answers, every time', async () => {
    const { message, paths } = await mail(subject);
    await pagesApp(subject).get(paths.open).expect(200);
    await pagesApp(subject).get(`${paths.open}?cache=1`).expect(200);
    const facts = { method: 'GET', agent: null, network: null, client: expect.any(String) };
    const open = { id: expect.any(String), messageId: message.id, kind: 'open', at: TEST_START, link: null, ...facts };
    expect(await recorded(subject, message)).toEqual([open, open]);
  });

  it('answers the image to tokens that are not ours or for another use, and records nothing', async () => {
    const mailed = await mail(subject, ['https://a.test/']);
    const { message, paths } = mailed;
    const { click, unsubscribe } = tokensOf(mailed);
    for (const path of [
      forge(paths.open),
      `/t/o/${click}.gif`,
      `/t/o/${unsubscribe}.gif`,
      '/t/o/x.gif',
      '/t/o/.gif',
      '/t/o/%E0%A4%A.gif',
    ]) {
      const answer = await pagesApp(subject).get(path).expect(200);
      expect(answer.body).toHaveLength(43);
    }
    expect(await recorded(subject, message)).toEqual([]);
  });

  // spec: docs/contract.md#machines: what a program loads by itself
  it.each([
    [null, { 'Sec-Fetch-Dest': 'image', Accept: 'image/avif,image/webp,*/*' }],
    ['prefetch', { 'Sec-Fetch-Dest': 'image', 'Sec-Purpose': 'prefetch' }],
  ])('is an image, so loading one is an open; the machine is %s', async (agent, headers: Record<string, string>) => {
    const { message, paths } = await mail(subject);
    await pagesApp(subject).get(paths.open).set(headers).expect(200);
    expect(await recorded(subject, message)).toMatchObject([{ kind: 'open', agent }]);
  });

  it('answers HEAD and records it as such, so that it is known as a machine', async () => {
    const { message, paths } = await mail(subject);
    await pagesApp(subject).head(paths.open).expect(200).expect('Content-Length', '43');
    expect(await recorded(subject, message)).toMatchObject([{ kind: 'open', method: 'HEAD' }]);
  });

  // spec: docs/contract.md#machines: 100 an hour from one network
  it('records 100 an hour from one network, and always answers the image', async () => {
    const { message, paths } = await mail(subject);
    const app = pagesApp(subject, { trustedHops: 1 });
    const open = (from: string) => app.get(paths.open).set('X-Forwarded-For', from).expect(200);
    for (let n = 0; n < 130; n += 1) expect((await open(`192.0.2.${n}`)).body).toHaveLength(43);
    await open('198.51.100.1');
    for (let n = 0; n < 120; n += 1) await open(`2001:db8:1:${n.toString(16)}::1`);
    const other = await mail(subject);
    await app.get(other.paths.open).set('X-Forwarded-For', '192.0.2.1').expect(200);
    expect(await recorded(subject, message)).toHaveLength(100 + 1 + 100);
    subject.clock.advance(3_600_000);
    await open('192.0.2.1');
    expect(await recorded(subject, message)).toHaveLength(100 + 1 + 100 + 1);
  });

  it('answers 405 to other methods', async () => {
    const { message, paths } = await mail(subject);
    await pagesApp(subject).post(paths.open).expect(405).expect('Allow', 'GET, HEAD');
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('answers the image also when the log refuses the open, and says so to the operator', async () => {
    const { message, paths } = await mail(subject);
    const { logger, lines } = keepingLogger();
    const { log } = await closedEngine();
    const answer = await pagesApp(subject, { log, logger }).get(paths.open).expect(200);
    expect(answer.body).toHaveLength(43);
    expect(lines).toMatchObject([{ level: 40, kind: 'open', messageId: message.id }]);
  });

  it('answers the image also when the log does not answer', async () => {
    const { paths } = await mail(subject);
    const log = { publish: () => new Promise<void>(() => undefined) };
    await pagesApp(subject, { log, timeouts: { click: 20, open: 20, hidden: 20, unsubscribe: 20 } })
      .get(paths.open)
      .expect(200)
      .expect('Content-Type', 'image/gif');
  });
});
