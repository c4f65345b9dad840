import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { feedbackId, feedbackSender } from '../../domain/messages/feedback-id';
import type { MessageFacts } from '../../domain/messages/message';
import { compose } from '../../email/compose';
import { composeInput, MESSAGE_ID } from './support/compose-input';
import { composeAndRead, headerValue, rawMail } from './support/read-mail';
import { anyText } from '../support/any-text';
import { SOME_FACTS } from '../support/message';

describe('headers of a mail', () => {
  // spec: docs/contract.md#mail-headers: headers added
  it('are those of the contract, in its own spelling', () => {
    const mail = compose(composeInput());
    expect(mail.headers.map(({ name, value }) => `${name}: ${value.replaceAll('\r\n', '')}`)).toEqual([
      'From: Toko Kita <no-reply@demo.kurir.test>',
      'To: Budi@Example.com',
      'Subject: Pesanan Anda',
      'Date: Mon, 05 Jan 2026 03:00:00 +0000',
      `Message-ID: <${MESSAGE_ID}@demo.kurir.test>`,
      'MIME-Version: 1.0',
      'List-Unsubscribe: <https://t.kurir.test/u/1>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'Feedback-ID: api:w1:transactional:kurir0189000000',
      'CFBL-Address: b-1@bounce.demo.kurir.test; report=arf',
      'X-Campaign-id: api',
      'X-Subscriber-id: 7',
      `X-Message-id: ${MESSAGE_ID}`,
      `Content-Type: multipart/alternative; boundary="=_alt_${MESSAGE_ID}"`,
    ]);
  });

  // spec: docs/contract.md#relay-threads: the caller's ids, ours in X-Message-id
  it('name the thread of a mail that is in one', () => {
    const of = (thread: MessageFacts['thread']) => compose(composeInput({ message: { thread } }));
    const mail = of({ messageId: '<1@toko.example>', inReplyTo: ['<0@x>'], references: ['<0@x>', '<"odd id"@y>'] });
    const names = ['Message-ID', 'In-Reply-To', 'References', 'X-Message-id'];
    expect(names.map((name) => headerValue(mail, name))).toEqual([
      '<1@toko.example>',
      '<0@x>',
      '<0@x> <"odd id"@y>',
      MESSAGE_ID,
    ]);
    const answer = of({ messageId: null, inReplyTo: ['<0@x>'], references: [] });
    expect(names.map((name) => headerValue(answer, name))).toEqual([
      `<${MESSAGE_ID}@demo.kurir.test>`,
      '<0@x>',
      null,
      MESSAGE_ID,
    ]);
  });

  // spec: docs/contract.md#mail-headers: X-Campaign-id of a campaign's mail
  it('name the campaign where there is one', () => {
    expect(headerValue(compose(composeInput({ message: { campaignId: 42, channel: 'app' } })), 'X-Campaign-id')).toBe(
      '42',
    );
    expect(headerValue(compose(composeInput({ message: { channel: 'smtp' } })), 'X-Campaign-id')).toBe('api');
  });

  // spec: docs/contract.md#feedback-headers: what the parts of Feedback-ID are
  it.each<[Partial<MessageFacts>, string]>([
    [{ channel: 'smtp' }, 'smtp:w7:transactional:kurir01890a3f7c'],
    [{ channel: 'app', lane: 'campaign', campaignId: 42 }, 'c42:w7:campaign:kurir01890a3f7c'],
    [{ channel: 'app', lane: 'journey', journeyId: 3 }, 'j3:w7:journey:kurir01890a3f7c'],
  ])('name in Feedback-ID what belongs together: %j', (of, expected) => {
    const message = { ...SOME_FACTS, workspaceId: 7, ...of };
    expect(feedbackId(message, feedbackSender('01890a3f-7c00-7000-8000-000000000000'))).toBe(expected);
  });

  // spec: docs/contract.md#relay-headers: a name that equals the address is shown as given
  it('have a name of the sender that equals the address', () => {
    const message = { fromName: 'cs@demo.kurir.test', fromEmail: 'cs@demo.kurir.test' };
    expect(headerValue(compose(composeInput({ message })), 'From')).toBe('"cs@demo.kurir.test" <cs@demo.kurir.test>');
  });

  it('quote a local part only where it must be', () => {
    const message = { fromEmail: '"toko melati"@toko.example', replyTo: '"cs\\"1"@toko.example' };
    const mail = compose(composeInput({ message, to: '"a\\b, c"@x.example' }));
    expect(headerValue(mail, 'From')).toContain('<"toko melati"@toko.example>');
    expect(headerValue(mail, 'Reply-To')).toBe('"cs\\"1"@toko.example');
    expect(headerValue(mail, 'To')).toBe('"ab, c"@x.example');
    expect(headerValue(compose(composeInput({ to: '"abc"@x.example' })), 'To')).toBe('abc@x.example');
  });

  it('have Reply-To only when it is set', () => {
    expect(headerValue(compose(composeInput({ message: { replyTo: 'cs@toko.example' } })), 'Reply-To')).toBe(
      'cs@toko.example',
    );
    expect(headerValue(compose(composeInput()), 'Reply-To')).toBeNull();
  });

  // spec: docs/contract.md#merge-tags: merge tags in subject and text
  it('have the subject merged raw', async () => {
    const mail = await composeAndRead(
      composeInput({
        message: { subject: 'Halo {{nama_depan|Sobat}} & {{bisnis}} {{tahun}} {{x}}' },
        contactName: '<Budi> S',
      }),
    );
    expect(mail.subject).toBe('Halo <Budi> & Toko Kita 2026 {{x}}');
    expect(
      (await composeAndRead(composeInput({ message: { subject: '{{nama|Sobat}}!' }, contactName: null }))).subject,
    ).toBe('Sobat!');
  });
});

/** Texts that try to end a header, a part or a line. */
const hostile = fc.oneof(
  anyText(120),
  fc.constantFrom(
    '\r\nBcc: x@y.test',
    'a\nX-Evil: 1\n\nbody',
    '\0',
    '>, <b@y.test',
    `--=_alt_${MESSAGE_ID}--`,
    '\r\n.\r\n',
    '{{nama}}',
    '"',
    '=?utf-8?Q?=0D=0ABcc:x?=',
    '\u2028X: y',
  ),
);

describe('a mail of any content', () => {
  it('has exactly its own headers, two texts, CRLF line ends and lines of at most 998 bytes', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, hostile, async (subject, fromName, name, replyTo, html) => {
        const input = composeInput({
          message: { subject: `${subject} {{nama}}`, fromName, replyTo: `${replyTo}@x.test` },
          contactName: name,
          business: { name: fromName, address: name },
          body: { html: `${html}{{nama}}`, text: `${html}{{nama}}` },
        });
        const mail = compose(input);
        const raw = rawMail(mail).toString('latin1');
        expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        expect(raw.endsWith('\r\n')).toBe(true);
        expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
        expect(raw.slice(raw.indexOf('\r\n\r\n'))).toMatch(/^[\t\r\n -~]*$/);
        const read = await composeAndRead(input);
        expect(read.headers.map(({ key }) => key).sort()).toEqual(
          mail.headers.map(({ name: key }) => key.toLowerCase()).sort(),
        );
        expect(read.from?.address).toBe('no-reply@demo.kurir.test');
        expect(read.to?.map(({ address }) => address)).toEqual(['Budi@Example.com']);
        expect(read.attachments).toEqual([]);
        expect(read.html).toContain('</div>');
        expect(read.text).toContain('https://t.kurir.test/u/1');
      }),
      { numRuns: 100 },
    );
  });

  it('is the same bytes for the same input', () => {
    const input = composeInput({
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('x') }],
    });
    expect(rawMail(compose(input)).equals(rawMail(compose(input)))).toBe(true);
  });
});
