import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { plainMails, trackedMails } from '../../../proof/bench/loop-mail';
import { sendByNodemailer } from '../../../proof/bench/nodemailer-loop';
import { SAMPLES } from '../../../proof/bench/sample-mail';
import { SmtpSink } from '../../../proof/bench/smtp-sink';

const links = (html: string): number => html.match(/<a href="/g)?.length ?? 0;

function htmlOf({ html }: { html?: unknown }): string {
  if (typeof html !== 'string') throw new TypeError('the mail has no html');
  return html;
}

describe('the mails of the benches', () => {
  it('are 2,048 bytes of html with three links and 4,096 bytes with eight', () => {
    const sizes = Object.values(SAMPLES).map(({ html }) => [Buffer.byteLength(html), links(html)]);
    expect(sizes).toEqual([
      [2_048, 3],
      [4_096, 8],
    ]);
  });

  it('of the careful loop have a link of their own for each, a footer, a pixel and a way out', () => {
    const mailTo = trackedMails('large');
    const [first, second] = [mailTo(1), mailTo(2)];
    const html = htmlOf(first);
    expect(html).not.toContain('shop.example/');
    expect([links(html), html.match(/<img /g)?.length]).toEqual([9, 1]);
    expect(new Set([...html.matchAll(/https:\/\/loop\.example\/[^"]+/g)].map(([url]) => url)).size).toBe(10);
    expect(htmlOf(second)).not.toBe(html);
    expect(htmlOf(plainMails('large')(1))).toBe(SAMPLES.large.html);
  });
});

describe('the nodemailer loop', () => {
  const sink = new SmtpSink();
  let port: number;
  beforeAll(async () => {
    port = await sink.listen();
  });
  afterAll(() => sink.close());
  beforeEach(() => sink.reset());
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it.each(['careful', 'plain'] as const)('%s signs each mail and sends it once', async (how) => {
    const arrived = sink.waitFor(45);
    await sendByNodemailer({ port, mails: 45, connections: 2, sample: 'small', privateKey: pem, how });
    await arrived;
    const { bytes, ...count } = sink.count();
    expect(count).toMatchObject({ mails: 45, duplicates: 0, unsigned: 0 });
    expect(bytes / 45).toBeGreaterThan(how === 'careful' ? 4_000 : 2_500);
  });
});
