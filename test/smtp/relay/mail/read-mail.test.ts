import { describe, expect, test } from '@jest/globals';
import { readMail } from '../../../../smtp/relay/mail/read-mail';
import type { SubmittedMail } from '../../../../smtp/relay/mail/submitted-mail';
import { aMail, MAILS, read } from './mails';

const plain = {
  messageId: null,
  replyTo: null,
  metadata: null,
  idempotencyKey: null,
  attachmentsLeftOut: 0,
  unknownCharset: null,
  thread: null,
};

const EXPECTED: Readonly<Record<string, SubmittedMail>> = {
  wordpress: {
    ...plain,
    messageId: 'x1kYcQ8hFzv3@toko.test',
    from: { address: 'wordpress@toko.test', name: 'Toko Kopi – Jakarta' },
    replyTo: 'layanan@toko.test',
    subject: '[Toko Kopi] Pesanan baru № 1042: Espresso € 12,50',
    html: '<p>Pesanan baru <strong>1042</strong> – <a href="https://toko.test/pesanan/1042">lihat</a></p>',
    text: 'Pesanan baru 1042, lihat https://toko.test/pesanan/1042',
  },
  laravel: {
    ...plain,
    messageId: '6f1d1c0a8b1e4a27b9c4@toko.test',
    from: { address: 'halo@toko.test', name: 'Laravel' },
    subject: 'Reset Password Notification',
    html: `<!DOCTYPE html>
<html>
<body style="margin: 0;">
<a href="https://toko.test/reset?token=abc&amp;email=budi%40contoh.test" class="button">Reset Password</a>
</body>
</html>`,
    text: 'Hello!\n\nReset Password: https://toko.test/reset?token=abc&email=budi%40contoh.test\n\n© 2026 Laravel.',
    metadata: { order: '42', user: 7 },
    idempotencyKey: 'reset-7-2026-11-22',
  },
  django: {
    ...plain,
    messageId: '176380890012.1234.5678901234567890123@web-1',
    from: { address: 'webmaster@toko.test', name: null },
    subject: 'Konfirmasi — é dan 世界',
    html: `<div>Halo {{nama|Pelanggan}},<br>
<br>
Klik <a href="https://toko.test/konfirmasi/?u=1&amp;t=2">https://toko.test/konfirmasi/?u=1&amp;t=2</a>.<br>
<br>
-- <br>
Tim Toko</div>
`,
    text: 'Halo {{nama|Pelanggan}},\n\nKlik https://toko.test/konfirmasi/?u=1&t=2.\n\n-- \nTim Toko',
  },
  'python-email': {
    ...plain,
    messageId: 'py.1@toko.test',
    from: { address: 'sistem@toko.test', name: 'Sistem, Gudang' },
    replyTo: 'gudang@toko.test',
    subject: 'Laporan harian ☕ untuk Ñandú',
    html: '<p>Stok: <b>5</b> karung – habis besok.</p>',
    text: 'Stok: 5 karung – habis besok.',
    attachmentsLeftOut: 2,
  },
  nodemailer: {
    ...plain,
    messageId: 'd1c8e4a1-6a0f-7b0e-3c55-1f1c@toko.test',
    from: { address: 'halo@toko.test', name: 'Toko Kopi' },
    subject: '🎉 Selamat datang',
    html: '<h1>Selamat datang 🎉</h1>\n<p>Senang melihatmu.</p>',
    text: 'Selamat datang 🎉\nSenang melihatmu.',
  },
  outlook: {
    ...plain,
    messageId: '000001dc5b9f$9a1b2c30$ce518490$@toko.test',
    from: { address: 'francois@toko.test', name: 'François Müller' },
    subject: 'RE: Offre – 50 € “spéciale”',
    html:
      '<html><body><p class=MsoNormal>Prix&nbsp;: 50 € – “spéciale”</p>' +
      '<img src="cid:image001.png@01DC5BA7" alt="logo"></body></html>',
    text: 'Prix\u00a0: 50 € – “spéciale”',
    attachmentsLeftOut: 1,
  },
  'apple-mail': {
    ...plain,
    messageId: '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0@toko.test',
    from: { address: 'budi@toko.test', name: 'Budi Santoso' },
    subject: 'Foto',
    html: '<div>Sebelum</div>\n<div>Sesudah&hellip;</div>',
    text: 'Sebelum foto ini ada satu kalimat yang cukup panjang sehingga harus dipotong.\n\nSesudah…',
    attachmentsLeftOut: 1,
  },
  printer: {
    ...plain,
    messageId: '20261122101500.SM001@192.168.1.20',
    from: { address: 'scan@toko.test', name: 'Kantor Büro' },
    subject: 'Scan vom Gerät "Büro 2"',
    html: '<div>Gerätename: Büro 2<br>\nAuflösung: 200 x 200</div>\n',
    text: 'Gerätename: Büro 2\nAuflösung: 200 x 200',
    attachmentsLeftOut: 1,
  },
  erp: {
    ...plain,
    from: { address: 'rechnung@toko.test', name: 'Rechnung (Buchhaltung)' },
    subject: 'Rechnung 4711 über 1.234,50 €',
    html: '<p>Sehr geehrte Damen und Herren,<br/>Betrag: 1.234,50 €</p>',
    text: null,
    attachmentsLeftOut: 2,
  },
  'java-mail': {
    ...plain,
    messageId: '1763808900.3.1732270500123@app-7f9c',
    from: { address: 'no-reply@toko.test', name: null },
    subject: 'Verifikasi akun anda — masukkan kode berikut dalam 10 menit ⏳',
    html: '<html><body><img src="cid:logo"/>Kode: <b>123456</b></body></html>',
    text: null,
    attachmentsLeftOut: 1,
  },
  signed: {
    ...plain,
    messageId: 's1@toko.test',
    from: { address: 'budi@toko.test', name: 'Budi' },
    subject: 'Kontrak',
    html: '<div>Setuju.</div>\n',
    text: 'Setuju.',
    attachmentsLeftOut: 1,
  },
};

/** Of those that are not alone with their Message-ID: an answer, and one whose Message-ID has no brackets. */
const THREADS: Readonly<Record<string, SubmittedMail['thread']>> = {
  outlook: {
    messageId: '<000001dc5b9f$9a1b2c30$ce518490$@toko.test>',
    inReplyTo: ['<a@toko.test>'],
    references: ['<a@toko.test>'],
  },
  printer: null,
};

describe('Mails as programs write them', () => {
  // spec: docs/contract.md#relay-headers: parts, charsets and encodings of real mails
  test.each(Object.keys(EXPECTED))('%s: every field', async (name) => {
    const expected = EXPECTED[name]!;
    const own = expected.messageId && { messageId: `<${expected.messageId}>`, inReplyTo: [], references: [] };
    const thread = name in THREADS ? THREADS[name] : own;
    expect(await readMail(MAILS.get(name)!)).toEqual({ ...expected, thread });
  });

  test('an encrypted mail is refused', async () => {
    const text = 'The mail is encrypted, or signed in a form that hides its text; send it as plain MIME.';
    expect(await readMail(MAILS.get('encrypted')!)).toEqual({ code: 554, enhanced: '5.6.0', text });
    const opaque = aMail('Content-Type: application/pkcs7-mime; smime-type=signed-data');
    expect(await readMail(opaque)).toMatchObject({ code: 554, text });
  });
});

describe('The parts of a mail', () => {
  const multipart = (subtype: string, ...parts: string[]): Buffer =>
    aMail(
      `Content-Type: multipart/${subtype}; boundary=aa`,
      `${parts.map((part) => `--aa\n${part}\n`).join('')}--aa--`,
    );
  const TEXT = 'Content-Type: text/plain\n\nHalo';
  const HTML = 'Content-Type: text/html\n\n<p>Halo</p>';

  test('texts and HTML one after the other: all of it, the text as HTML where HTML is beside it', async () => {
    expect(await read(multipart('mixed', TEXT, '\nDaftar surat'))).toMatchObject({ text: 'Halo\n\nDaftar surat' });
    const mixed = await read(multipart('mixed', TEXT, HTML));
    expect(mixed).toMatchObject({ html: '<div>Halo</div>\n\n<div><p>Halo</p></div>', text: null });
  });

  test('HTML documents one after the other become one: nothing stands outside its body', async () => {
    const page = (text: string) =>
      `Content-Type: text/html\n\n<!DOCTYPE html>\n<HTML lang="id"><head><title>x</title><style>p{}</style></head><body\nclass="a">${text}</body></html>`;
    const one = (text: string) => `<div><title>x</title><style>p{}</style><p>${text}</p></div>`;
    const { html } = await read(multipart('mixed', page('<p>satu</p>'), TEXT, page('<p>dua</p>')));
    expect(html).toBe(`${one('satu')}\n<div>Halo</div>\n\n${one('dua')}`);
    const alone = await read(multipart('mixed', page('<p>satu</p>'), 'Content-Type: image/png\n\nx'));
    expect(alone.html).toMatch(/^<!DOCTYPE html>\n<HTML lang="id">.*<\/html>$/s);
  });

  test('of alternatives the first text and the last HTML, without the formats for few readers', async () => {
    const amp = 'Content-Type: text/x-amp-html\n\n<html amp4email>';
    const mail = multipart('alternative', TEXT, amp, 'Content-Type: text/html\n\n<i>', HTML);
    expect(await read(mail)).toMatchObject({ text: 'Halo', html: '<p>Halo</p>', attachmentsLeftOut: 0 });
  });

  test.each([
    ['HTML marked as an attachment', 'Content-Type: text/html\nContent-Disposition: attachment\n\n<p>x</p>'],
    ['a text file below the text', 'Content-Type: text/plain; name=log.txt\nContent-Disposition: inline\n\nx'],
    ['a disposition that is not known', 'Content-Type: text/plain\nContent-Disposition: other\n\nx'],
    ['a calendar', 'Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR'],
    ['a message', 'Content-Type: message/rfc822\n\nFrom: a@b.test\n\nx'],
    ['a report', 'Content-Type: message/delivery-status\n\nReporting-MTA: dns; x'],
    ['an encrypted part', 'Content-Type: multipart/encrypted; boundary=bb\n\n--bb\n\nx\n--bb--'],
    ['an image', 'Content-Type: image/png\nContent-ID: <x>\n\nx'],
  ])('%s counts as left out, and is not shown', async (_, part) => {
    const mail = await read(multipart('mixed', TEXT, part));
    expect(mail).toMatchObject({ text: 'Halo', html: '<div>Halo</div>\n', attachmentsLeftOut: 1 });
  });

  // spec: docs/contract.md#relay-headers: text of another type is shown as plain text where there is no other
  test.each(['text/markdown', 'text/markdown; name=readme.md', 'text/enriched', 'text/x-log', 'text/csv', 'text/xml'])(
    'a mail of %s alone is plain text',
    async (type) => {
      const shown = { text: '# Halo <b>', html: '<div># Halo &lt;b&gt;</div>\n', attachmentsLeftOut: 0 };
      expect(await read(aMail(`Content-Type: ${type}`, '# Halo <b>'))).toMatchObject(shown);
      const part = `Content-Type: ${type}\n\n# Halo <b>`;
      expect(await read(multipart('mixed', part, 'Content-Type: image/png\n\nx'))).toMatchObject({
        ...shown,
        attachmentsLeftOut: 1,
      });
      expect(await read(multipart('alternative', part))).toMatchObject(shown);
      expect(await read(multipart('mixed', TEXT, part))).toMatchObject({ text: 'Halo', attachmentsLeftOut: 1 });
      expect(await read(multipart('alternative', part, HTML))).toMatchObject({ text: null, html: '<p>Halo</p>' });
    },
  );

  test('a calendar alone, and a text marked as an attachment, are refused', async () => {
    for (const head of ['Content-Type: text/calendar', 'Content-Type: text/markdown\nContent-Disposition: attachment'])
      expect(await readMail(aMail(head, 'x'))).toMatchObject({ code: 554 });
  });

  // spec: docs/contract.md#relay-headers: a charset that is not known is named
  test('a charset that is not known is named, of the text and of the subject', async () => {
    const of = async (head: string, body: string) =>
      (await read(Buffer.from(`From: a@b.test\r\n${head}\r\n\r\n${body}`, 'latin1'))).unknownCharset;
    expect(await of('Content-Type: text/plain; charset=x-nonsense', 'caf\xe9')).toBe('x-nonsense');
    expect(await of('Content-Type: text/plain; charset=x-nonsense', 'cafe')).toBeNull();
    expect(await of('Content-Type: text/plain; charset=cp850', 'caf\x82')).toBeNull();
    expect(await of('Subject: =?x-odd?Q?caf=E9?=', 'x')).toBe('x-odd');
    expect(await of('Subject: =?cp437?Q?caf=82?=', 'x')).toBeNull();
  });

  test('parts of a digest are messages', async () => {
    const digest = await read(
      multipart('mixed', TEXT, 'Content-Type: multipart/digest; boundary=bb\n\n--bb\n\nx\n--bb--'),
    );
    expect(digest).toMatchObject({ text: 'Halo', attachmentsLeftOut: 1 });
  });

  test('an empty text, and nothing that would be left out: taken, with nothing to show', async () => {
    const empty = { html: '<div></div>\n', text: null, attachmentsLeftOut: 0 };
    expect(await readMail(aMail('Subject: x', ''))).toMatchObject({ ...empty, subject: 'x' });
    expect(await readMail(multipart('alternative', 'Content-Type: text/html\n\n \n'))).toMatchObject(empty);
  });

  test('neither text nor HTML: refused', async () => {
    const text = 'The mail has neither text nor HTML; attachments are not forwarded.';
    const refused = { code: 554, enhanced: '5.6.0', text };
    expect(await readMail(aMail('Content-Type: application/pdf', 'x'))).toEqual(refused);
    expect(await readMail(multipart('mixed', '\n \n', 'Content-Type: application/pdf\n\nx'))).toEqual(refused);
    expect(await readMail(multipart('mixed'))).toEqual(refused);
  });

  test('boundaries: longer ones, repeated ones, without an end, with white space, in sections', async () => {
    const longer = aMail(
      'Content-Type: multipart/mixed; boundary=a',
      '--a\n\n--ab\nHalo\n--a-\n--a--\n--a\n\nnot here',
    );
    expect(await read(longer)).toMatchObject({ text: '--ab\nHalo\n--a-' });
    const same = 'Content-Type: multipart/mixed; boundary=aa\n\n--aa\n\ninner\n--aa--\n';
    expect(await read(multipart('mixed', same, '\nouter'))).toMatchObject({ text: 'inner\n\nouter' });
    const open = aMail('Content-Type: multipart/mixed; boundary="a a"', 'preamble\n--a a \t\n\nHalo');
    expect(await read(open)).toMatchObject({ text: 'Halo' });
    const sections = aMail('Content-Type: multipart/mixed; boundary*0="a"; boundary*1=b', '--ab\n\nHalo\n--ab--');
    expect(await read(sections)).toMatchObject({ text: 'Halo' });
  });

  test('of a repeated Content-Type the first counts', async () => {
    const mail = await read(aMail('Content-Type: text/html\nContent-Type: text/plain', '<p>'));
    expect(mail).toMatchObject({ html: '<p>', text: null });
  });

  test('format=flowed: lines are joined, quotes and the signature are kept', async () => {
    const body = 'satu \ndua\n> kutipan \n> lanjut\n>> dalam\n From spasi\n-- \nTim';
    const mail = await read(aMail('Content-Type: text/plain; format=flowed', body));
    expect(mail.text).toBe('satu dua\n> kutipan lanjut\n>> dalam\nFrom spasi\n-- \nTim');
  });

  test('base64 in lines with padding, quoted-printable with faults, an encoding that is not known', async () => {
    const base64 = await read(aMail('Content-Transfer-Encoding: (x) BASE64', 'SGE=\nbG8=\n!!'));
    expect(base64.text).toBe('Halo');
    const quoted = await read(aMail('Content-Transfer-Encoding: quoted-printable', 'H=61l=\no =ZZ ='));
    expect(quoted.text).toBe('Halo =ZZ');
    expect((await read(aMail('Content-Transfer-Encoding: x-uuencode', 'Halo'))).text).toBe('Halo');
  });
});

describe('The headers of a mail', () => {
  // spec: docs/contract.md#relay-headers: From: name and address
  test.each([
    ['Budi <a@toko.test>', 'a@toko.test', 'Budi'],
    ['a@toko.test', 'a@toko.test', null],
    ['<a@toko.test>', 'a@toko.test', null],
    ['"" <a@toko.test>', 'a@toko.test', null],
    ['"a@toko.test" <a@toko.test>', 'a@toko.test', 'a@toko.test'],
    ['a@toko.test <a@toko.test>', 'a@toko.test', 'a@toko.test'],
    ['=?utf-8?Q?a=40toko.test?= <a@toko.test>', 'a@toko.test', 'a@toko.test'],
    ['a@toko.test (a@toko.test)', 'a@toko.test', 'a@toko.test'],
    ['"A@Toko.test" <a@toko.test>', 'a@toko.test', 'A@Toko.test'],
    ['"b@lain.test" <a@toko.test>', 'a@toko.test', 'b@lain.test'],
    ['<"budi@x"@toko.test>', '"budi@x"@toko.test', null],
    ['a@toko.test (Budi)', 'a@toko.test', 'Budi'],
    ['"Budi, \\"Kopi\\"" <a@toko.test>', 'a@toko.test', 'Budi, "Kopi"'],
    ['Budi (sales) < a@toko.test >', 'a@toko.test', 'Budi'],
    ['"budi santoso"@toko.test', '"budi santoso"@toko.test', null],
    ['Budi <"budi santoso"@toko.test>', '"budi santoso"@toko.test', 'Budi'],
    ['=?utf-8?B?QnVkaSwgS29waQ==?= <a@toko.test>', 'a@toko.test', 'Budi, Kopi'],
    ['"=?utf-8?Q?B=C3=BCdi?=" <a@toko.test>', 'a@toko.test', 'Büdi'],
    ['=?windows-1252?Q?=93Kopi=94?= <a@toko.test>', 'a@toko.test', '“Kopi”'],
    ['=?utf-8?Q?Budi_=3Ca=40toko.test=3E?=', 'a@toko.test', 'Budi'],
    ['Bücher <a@bücher.example>', 'a@bücher.example', 'Bücher'],
    ['=?utf-8?Q?Budi=0D=0ABcc:_x?= <a@toko.test>', 'a@toko.test', 'Budi Bcc: x'],
  ])('From: %s', async (from, address, name) => {
    expect((await read(aMail(`From: ${from}`))).from).toEqual({ address, name });
  });

  const ONE = 'The From header must name exactly one valid address, and no group.';
  // spec: docs/contract.md#relay-headers: From: one, no group
  test.each([
    ['two', 'From: a@toko.test, b@toko.test', ONE],
    ['two without a comma', 'From: <a@toko.test> <b@lain.test>', ONE],
    ['a group', 'From: Tim: a@toko.test;', ONE],
    ['no address', 'From: Budi', ONE],
    ['an empty one', 'From:', ONE],
    ['an address in a text', 'From: Budi a@toko.test', ONE],
    ['an address in quotes', 'From: "a@toko.test"', ONE],
    ['a quote without an end', 'From: "Budi <a@toko.test>', ONE],
    ['a route', 'From: <@lain.test:a@toko.test>', ONE],
    ['two headers', 'From: a@toko.test\nFROM: a@toko.test', 'The mail has more than one From header.'],
    ['none', 'X-From: a@toko.test\nSender: a@toko.test', 'The mail has no From header.'],
  ])('From with %s: 550', async (_, header, text) => {
    const mail = Buffer.from(`${header}\n\nHalo\n`.replaceAll('\n', '\r\n'));
    expect(await readMail(mail)).toEqual({ code: 550, enhanced: '5.7.1', text });
  });

  // spec: docs/contract.md#relay-headers: Reply-To
  test('Reply-To: the first valid address, members of groups among them', async () => {
    const replyTo = async (value: string): Promise<string | null> => (await read(aMail(`Reply-To: ${value}`))).replyTo;
    expect(await replyTo('Tim <b@toko.test>, c@toko.test')).toBe('b@toko.test');
    expect(await replyTo('Tim: Ani <ani@toko.test>, b@toko.test;')).toBe('ani@toko.test');
    expect(await replyTo('bukan alamat, "a b"@toko.test')).toBe('"a b"@toko.test');
    expect(await replyTo('undisclosed-recipients:;')).toBeNull();
  });

  // spec: docs/contract.md#relay-headers: Subject
  test.each([
    ['=?utf-8?B?w4Q=?= =?utf-8?B?w5Y=?=', 'ÄÖ'],
    ['=?utf-8?B?ww==?= =?UTF-8?B?hA==?=', 'Ä'],
    ['=?utf-8?Q?=C3?=\r\n =?utf-8?B?hA==?= x', 'Ä x'],
    ['a =?utf-8?Q?b?= c =?utf-8?Q?d?=', 'a b c d'],
    ['=?utf-8*en?Q?a_b c?=', 'a b c'],
    ['=?us-ascii?Q?=3D=3Futf-8=3FQ=3Fa=3F=3D?=', '=?utf-8?Q?a?='],
    ['=?bogus?Q?=C3=84?= =?utf-8?X?a?= =?', 'Ä =?utf-8?X?a?= =?'],
    ['=?utf-8?Q?a=0D=0Ab=00c=E2=80=A8d?=', 'a b c d'],
    ['Halo\r\n\tdunia\r\n  lagi', 'Halo dunia  lagi'],
    ['', ''],
  ])('Subject: %s', async (subject, expected) => {
    expect((await read(aMail(`Subject: ${subject}`))).subject).toBe(expected);
  });

  // spec: docs/contract.md#relay-headers: charsets
  test('raw bytes: UTF-8, else windows-1252', async () => {
    const latin = Buffer.from('From: a@toko.test\r\nSubject: caf\xe9 \x80\r\n\r\nHalo \x93caf\xe9\x94\r\n', 'latin1');
    expect(await read(latin)).toMatchObject({ subject: 'café €', text: 'Halo “café”' });
    expect(await read(aMail('Subject: café €', 'Halo “café”'))).toMatchObject({
      subject: 'café €',
      text: 'Halo “café”',
    });
  });

  test('Message-ID without brackets, comments and folds; none stays none', async () => {
    const messageId = async (value: string): Promise<string | null> =>
      (await read(aMail(`Message-ID: ${value}`))).messageId;
    expect(await messageId('\n <a@b> (x)')).toBe('a@b');
    expect(await messageId('< a@b >')).toBe('a@b');
    expect(await messageId('a@b')).toBe('a@b');
    expect(await messageId('')).toBeNull();
  });

  // spec: docs/contract.md#relay-headers: metadata
  test('X-Kurir-Metadata: a JSON object, folded or encoded', async () => {
    const metadata = async (value: string): Promise<object | null> =>
      (await read(aMail(`X-Kurir-Metadata: ${value}`))).metadata;
    expect(await metadata('{"order":"42"}')).toEqual({ order: '42' });
    expect(await metadata('{"order":\n\t"42\n\t43"}')).toEqual({ order: '42 43' });
    expect(await metadata('=?utf-8?Q?=7B=22kota=22:=22Cir=C3=ABbon=22=7D?=')).toEqual({ kota: 'Cirëbon' });
    expect(await metadata('')).toBeNull();
  });

  const NO_OBJECT = 'The X-Kurir-Metadata header must be a JSON object, such as {"order":"42"}.';
  test.each([
    ['X-Kurir-Metadata: order=42', NO_OBJECT],
    ['X-Kurir-Metadata: ["42"]', NO_OBJECT],
    ['X-Kurir-Metadata: null', NO_OBJECT],
    ['X-Kurir-Metadata: {"a":{"b":1}}', 'The values in X-Kurir-Metadata must be text, numbers, true, false or null.'],
    ['X-Kurir-Metadata: {}\nx-kurir-metadata: {}', 'The mail has more than one X-Kurir-Metadata header.'],
    ['X-Kurir-Idempotency-Key: 1234567', 'The X-Kurir-Idempotency-Key header must have 8 to 100 characters.'],
    [
      `X-Kurir-Idempotency-Key: ${'k'.repeat(101)}`,
      'The X-Kurir-Idempotency-Key header must have 8 to 100 characters.',
    ],
    [
      'X-Kurir-Idempotency-Key: 12345678\nX-Kurir-Idempotency-Key: 12345678',
      'The mail has more than one X-Kurir-Idempotency-Key header.',
    ],
  ])('%s: 554', async (header, text) => {
    expect(await readMail(aMail(header))).toEqual({ code: 554, enhanced: '5.6.0', text });
  });

  test('lines that are no header are skipped', async () => {
    const mail = '>From someone\n folded\n: no name\nSubj ect: x\n\u00a0Subject: x\nSubject : Halo\nX-Empty:';
    expect((await read(aMail(mail))).subject).toBe('Halo');
  });
});

describe('The limits of a mail', () => {
  const refused = async (mail: Buffer): Promise<string> => {
    const fault = await readMail(mail);
    return 'enhanced' in fault ? `${fault.code} ${fault.enhanced} ${fault.text}` : 'taken';
  };

  // spec: docs/contract.md#relay-headers: HTML: 500,000 characters
  test('HTML and text up to 500,000 characters, counted as code points', async () => {
    const html = (length: number): Buffer => aMail('Content-Type: text/html; charset=utf-8', '😀'.repeat(length));
    expect((await read(html(500_000))).html).toHaveLength(1_000_000);
    expect(await refused(html(500_001))).toBe('552 5.3.4 The HTML of the mail is longer than 500,000 characters.');
    const text = (length: number): Buffer => aMail('', 'x'.repeat(length));
    expect((await read(text(499_988))).html).toHaveLength(500_000);
    expect(await refused(text(499_989))).toBe(
      '552 5.3.4 The text of the mail, as HTML, is longer than 500,000 characters.',
    );
    expect(await refused(text(500_001))).toBe('552 5.3.4 The text of the mail is longer than 500,000 characters.');
    expect(await refused(text(9_000_000))).toBe('552 5.3.4 The text of the mail is too long.');
    expect(await refused(aMail('', '\n'.repeat(600_001)))).toBe('552 5.3.4 The text of the mail has too many lines.');
  });

  // spec: docs/contract.md#relay-headers: header lines: 1,000
  test('1,000 header lines, those of folds and of parts counted', async () => {
    const lines = (count: number): string => `Subject: x${'\n x'.repeat(count - 2)}`;
    expect((await read(aMail(lines(1_000)))).subject).toHaveLength(1_997);
    expect(await refused(aMail(lines(1_001)))).toBe('554 5.6.0 The mail has more than 1000 header lines.');
    const part = (count: number): Buffer =>
      aMail('Content-Type: multipart/mixed; boundary=aa', `--aa\n${'X-A: b\n'.repeat(count)}\nHalo\n--aa--`);
    expect(await refused(part(998))).toBe('taken');
    expect(await refused(part(999))).toBe('554 5.6.0 The mail has more than 1000 header lines.');
  });

  // spec: docs/contract.md#relay-headers: levels of parts: 50
  test('50 levels of parts', async () => {
    const nested = (levels: number): Buffer => {
      let body = '\nHalo';
      for (let level = levels; level > 0; level--) {
        body = `Content-Type: multipart/mixed; boundary=b${level}x\n\n--b${level}x\n${body}\n--b${level}x--`;
      }
      return aMail(body.slice(0, body.indexOf('\n')), body.slice(body.indexOf('\n') + 2));
    };
    expect((await read(nested(50))).text).toBe('Halo');
    expect(await refused(nested(51))).toBe('554 5.6.0 The parts of the mail are nested deeper than 50 levels.');
  });

  test('1,000 parts, and a boundary for each multipart', async () => {
    const parts = (count: number): Buffer =>
      aMail('Content-Type: multipart/mixed; boundary=aa', '--aa\n\nx\n'.repeat(count));
    expect(await refused(parts(1_000))).toBe('taken');
    expect(await refused(parts(100_000))).toBe('554 5.6.0 The mail has more than 1000 parts.');
    const bare = aMail('Content-Type: multipart/mixed', '--aa\n\nx');
    expect(await refused(bare)).toBe('554 5.6.0 A multipart Content-Type of the mail has no boundary.');
  });

  test('64 KiB of a header that is read; of others any length', async () => {
    expect(await refused(aMail(`Subject: ${'x'.repeat(65_536)}`))).toBe('554 5.6.0 The subject header is too long.');
    expect(await refused(aMail(`X-Other: ${'x'.repeat(100_000)}`))).toBe('taken');
  });
});
