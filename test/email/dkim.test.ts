import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyObject } from 'node:crypto';
import type { ComposeInput } from '../../email/compose';
import { poolComposer } from '../../email/composing/composer';
import { generateDkimKey, loadDkimKey } from '../../email/dkim-key';
import { SmtpTransport } from '../../email/transports/smtp';
import { TEST_START } from '../support/clock';
import { composedBy } from './support/composing';
import { composeInput } from './support/compose-input';
import { readMail } from './support/read-mail';
import { SAMPLE_MAILS } from './support/sample-mails';
import { SmtpInbox } from './support/smtp-inbox';
import { verifyDkim } from './support/verify-dkim';

let key: KeyObject;
let publicKeyDns: string;
let inbox: SmtpInbox;
let transport: SmtpTransport;

beforeAll(async () => {
  const generated = await generateDkimKey();
  key = loadDkimKey(generated.privateKeyPem);
  publicKeyDns = generated.publicKeyDns;
  inbox = await SmtpInbox.start();
  transport = new SmtpTransport({ url: `smtp://127.0.0.1:${inbox.port}`, maxConnections: 1, name: 'kurir.test' });
});
afterAll(async () => {
  await transport.close();
  await inbox.stop();
});

const sign = async (input: ComposeInput, by = key): Promise<Buffer> =>
  (await composedBy(poolComposer, { ...input, selector: 'k1', key: by })).raw;

const verify = (raw: Buffer) => verifyDkim(raw, publicKeyDns);

/** The bytes after a hand-off over SMTP. */
async function overSmtp(raw: Buffer): Promise<Buffer> {
  const envelope = { from: 'b-1@bounce.demo.kurir.test', to: 'budi@example.com', envid: 'id-1' };
  const outcome = await transport.handOff(envelope, raw, () => Promise.resolve(true));
  if (outcome.kind !== 'sent') throw new Error(JSON.stringify(outcome));
  return inbox.mails.pop()!;
}

describe('the DKIM signature of a mail', () => {
  // spec: docs/contract.md#dkim: DKIM-signed with the domain
  it.each(SAMPLE_MAILS)(
    'of %s is verified by an independent library, before and after SMTP, and no byte changes on the way',
    async (_name, input) => {
      const raw = await sign(input);
      expect(await verify(raw)).toMatchObject({ result: 'pass', aligned: 'demo.kurir.test' });
      const arrived = await overSmtp(raw);
      expect(arrived.equals(raw)).toBe(true);
      expect(await verify(arrived)).toMatchObject({ result: 'pass' });
    },
  );

  it('is rsa-sha256, relaxed/relaxed, by the domain and selector, at the time given', async () => {
    const { tags } = await verify(await sign(composeInput()));
    expect(tags).toMatchObject({
      v: '1',
      a: 'rsa-sha256',
      c: 'relaxed/relaxed',
      d: 'demo.kurir.test',
      s: 'k1',
      t: String(TEST_START / 1000),
    });
    expect(Buffer.from(tags.b!, 'base64')).toHaveLength(256);
  });

  // spec: docs/contract.md#dkim: DKIM-signed with the domain
  it('covers all headers that matter, List-Unsubscribe included', async () => {
    const thread = { messageId: '<1@toko.example>', inReplyTo: ['<0@x>'], references: ['<0@x>'] };
    const { tags } = await verify(await sign(composeInput({ message: { replyTo: 'cs@toko.example', thread } })));
    for (const name of [
      'From',
      'To',
      'Reply-To',
      'Subject',
      'Date',
      'Message-ID',
      'In-Reply-To',
      'References',
      'MIME-Version',
      'Content-Type',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
      'Feedback-ID',
      'CFBL-Address',
    ]) {
      expect(tags.h!.split(':')).toContain(name);
    }
  });

  // spec: docs/contract.md#relay-threads: long threads are folded, and signed as they are sent
  it('holds with ids of every length, in lines of at most 998 octets', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `<${n}.${'a'.repeat((n * 53) % 700)}@x.example>`);
    const longest = `<${'a'.repeat(985)}@x.example>`;
    for (const messageId of [null, '<1@toko.example>', longest, `<${'b'.repeat(970)}@x.example>`]) {
      const thread = { messageId, inReplyTo: [longest], references: ids };
      const raw = await sign(composeInput({ message: { thread } }));
      expect((await verify(raw)).result).toBe('pass');
      const head = raw.toString('latin1').split('\r\n\r\n')[0]!;
      expect(Math.max(...head.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
      const unfolded = head.replaceAll('\r\n ', ' ');
      expect(unfolded).toContain(`\r\nReferences: ${ids.join(' ')}\r\n`);
      expect(unfolded.replaceAll(':  ', ': ')).toContain(`\r\nIn-Reply-To: ${longest}\r\n`);
      if (messageId) expect(unfolded.replaceAll(':  ', ': ')).toContain(`\r\nMessage-ID: ${messageId}\r\n`);
    }
  });

  it.each([
    ['a changed body', (raw: string) => raw.replace('Halo', 'Hola')],
    ['a changed subject', (raw: string) => raw.replace('Subject: Pesanan', 'Subject: pesanan')],
    [
      'a changed unsubscribe link',
      (raw: string) => raw.replace('<https://t.kurir.test/u/1>', '<https://evil.test/u/1>'),
    ],
    ['a second From', (raw: string) => `From: evil@evil.test\r\n${raw}`],
    ['a second Subject', (raw: string) => `Subject: evil\r\n${raw}`],
    ['a Reply-To that was not there', (raw: string) => `Reply-To: evil@evil.test\r\n${raw}`],
    ['a second address for complaints', (raw: string) => `CFBL-Address: evil@evil.test; report=arf\r\n${raw}`],
    ['another content type', (raw: string) => `Content-Type: text/html\r\n${raw}`],
  ])('fails for %s', async (_name, tamper) => {
    const raw = (await sign(composeInput())).toString('latin1');
    const tampered = tamper(raw);
    expect(tampered).not.toBe(raw);
    expect((await verify(Buffer.from(tampered, 'latin1'))).result).not.toBe('pass');
  });

  it('stands before a mail that reads as it was written', async () => {
    const mail = await readMail(await sign(SAMPLE_MAILS[1]![1]));
    expect(mail.headers[0]?.key).toBe('dkim-signature');
    expect(mail.subject).toBe('Promo – 50% 🎉 '.repeat(12).trim());
    expect(mail.from).toMatchObject({ name: 'Tokö 発', address: 'no-reply@demo.kurir.test' });
    expect(mail.html).toContain('<p>Halo Bùdi — 発注書 🎉</p>');
  });

  // spec: docs/contract.md#dkim: DKIM-signed with the domain
  it('is never left out: a key that cannot sign is an error', async () => {
    const publicKey = (await import('node:crypto')).createPublicKey(key);
    await expect(sign(composeInput(), publicKey)).rejects.toThrow();
  });
});
