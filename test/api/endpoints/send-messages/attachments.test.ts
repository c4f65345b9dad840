import { describe, expect, test } from '@jest/globals';
import type { Attachment } from '../../../../domain/messages/message';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfFile();

const MIB = 1024 * 1024;
const file = (change: object = {}) => ({ filename: 'faktur.pdf', content: 'QUJD', ...change });
const accepted = async (...attachments: object[]): Promise<Attachment[]> => {
  const { status, body } = await api.send(account, { attachments });
  expect(status).toBe(201);
  return (await api.stores.messages.job(body.message_id))!.attachments;
};
const refused = async (...attachments: unknown[]): Promise<Record<string, string[]>> => {
  const { status, body } = await api.send(account, { attachments });
  expect(status).toBe(422);
  return body.errors;
};

describe('POST /messages, attachments', () => {
  // spec: docs/contract.md#attachment-retention: attachments retained max 4 days before hand-off
  test('201: stored decoded, held for 4 days at most', async () => {
    const { body } = await api.send(account, { attachments: [file()] });
    const job = await api.stores.messages.job(body.message_id);
    expect(job?.attachments).toEqual([
      { filename: 'faktur.pdf', contentType: 'application/pdf', content: Buffer.from('ABC') },
    ]);
    expect(job?.message.attachmentsUntil).toBe(api.clock.now() + 4 * 86_400_000);
  });

  test('201: an empty list is none', async () => {
    expect(await accepted()).toEqual([]);
  });

  // spec: docs/contract.md#attachments: attachment filename: required, max 255, forbidden parts and characters stripped
  test('201: name and type are trimmed, folder parts and forbidden characters stripped', async () => {
    const [attachment] = await accepted(file({ filename: ' C:\\tmp\\fak"tur?.pdf ', content: ' QUJD\n' }));
    expect(attachment).toMatchObject({ filename: 'faktur.pdf', content: Buffer.from('ABC') });
  });

  // spec: docs/contract.md#attachments: attachment content_type: guessed from the extension when empty
  test.each([
    ['catatan.txt', undefined, 'text/plain'],
    ['foto.JPG', '', 'image/jpeg'],
    ['berkas', null, 'application/octet-stream'],
    ['berkas.zzz', undefined, 'application/octet-stream'],
    ['data.csv', 'Text/CSV; charset="utf-8"', 'text/csv; charset=utf-8'],
    ['data.bin', 'application/vnd.api+json', 'application/vnd.api+json'],
    ['data.bin', 'application/pdf; name="lain.exe"', 'application/pdf'],
    ['surat.eml', undefined, 'application/octet-stream'],
    ['x.txt', 'multipart/mixed; boundary=x', 'application/octet-stream'],
  ])('201: %s sent as %j has the type %s%s', async (filename, content_type, type) => {
    expect((await accepted(file({ filename, content_type })))[0]!.contentType).toBe(type);
  });

  // spec: docs/contract.md#attachments: attachment content_type: guessed from the extension when empty
  // spec: docs/contract.md#risky-attachments: types of programs
  test.each([
    ['text', 'must be a MIME type such as application/pdf.'],
    ['text/', 'must be a MIME type such as application/pdf.'],
    ['text/plain\r\nX-Injected: 1', 'must be a MIME type such as application/pdf.'],
    ['text/plain; charset="utf-8\r\nX: 1"', 'must be a MIME type such as application/pdf.'],
    ['text/plain; charset', 'must be a MIME type such as application/pdf.'],
    ['tëxt/plain', 'must be a MIME type such as application/pdf.'],
    [`text/${'x'.repeat(251)}`, 'must not be greater than 255 characters.'],
    [17, 'must be a string.'],
    ...[
      'application/x-msdownload',
      'Application/X-MSDOS-Program; charset=utf-8',
      'application/java-archive',
      'application/hta',
      'text/javascript',
    ].map((type): [string, string] => [type, 'has a MIME type that is not allowed: that of a program or script.']),
  ])('422: content_type %j', async (content_type, rest) => {
    const field = 'attachments.0.content_type';
    expect(await refused(file({ content_type }))).toEqual({ [field]: [`The ${field} field ${rest}`] });
  });

  // spec: docs/contract.md#risky-attachments: risky executable extensions are rejected
  test.each([
    'setup.exe',
    'run.bat',
    'x.js',
    'x.vbs',
    'x.msi',
    'x.iso',
    'x.apk',
    'x.scr',
    'x.ps1',
    'FAKTUR.PDF.EXE',
    'x.exe. ',
    'x.e:xe',
  ])('422: %s has a risky executable extension', async (filename) => {
    const field = 'attachments.1.filename';
    expect(await refused(file(), file({ filename }))).toEqual({
      [field]: [`The ${field} field has a file extension that is not allowed.`],
    });
  });

  // spec: docs/contract.md#risky-attachments: names that may be read as others
  test.each(['faktur.exe;.pdf', 'faktur;1.pdf', 'faktur.exe::$DATA', 'faktur.pdf::$data', 'faktur.exe:.pdf'])(
    '422: %s may be read as another name than it shows',
    async (filename) => {
      const field = 'attachments.0.filename';
      const sentence = `The ${field} field must not contain ; or ::, nor a file extension that is not allowed before a colon.`;
      expect(await refused(file({ filename }))).toEqual({ [field]: [sentence] });
    },
  );

  // spec: docs/contract.md#attachments: attachment filename: required, max 255, forbidden parts and characters stripped
  // spec: docs/contract.md#attachments: attachment content: standard base64, not a data URL, not empty
  test.each([
    [{ filename: undefined }, 'filename', 'is required.'],
    [{ filename: ' ' }, 'filename', 'is required.'],
    [{ filename: 17 }, 'filename', 'must be a string.'],
    [{ filename: `${'x'.repeat(252)}.pdf` }, 'filename', 'must not be greater than 255 characters.'],
    [{ filename: 'folder/' }, 'filename', 'has no characters that are allowed in a file name.'],
    [{ filename: '"<>|' }, 'filename', 'has no characters that are allowed in a file name.'],
    [{ content: undefined }, 'content', 'is required.'],
    [{ content: '' }, 'content', 'is required.'],
    [{ content: 17 }, 'content', 'must be a string.'],
    [{ content: 'data:application/pdf;base64,QUJD' }, 'content', 'BASE64'],
    [{ content: 'QUJ' }, 'content', 'BASE64'],
    [{ content: 'QUJD\nQUJD' }, 'content', 'BASE64'],
    [{ content: 'QU-_' }, 'content', 'BASE64'],
  ])('422: %j', async (change, name, rest) => {
    const field = `attachments.0.${name}`;
    const sentence = rest.replace(
      'BASE64',
      'must be valid base64 (standard alphabet, padded, no line breaks, not a data URL).',
    );
    expect(await refused(file(change))).toEqual({ [field]: [`The ${field} field ${sentence}`] });
  });

  test.each([['text'], [17], [null], [['a']]])('422: an item that is %j', async (item) => {
    expect(await refused(item)).toEqual({ 'attachments.0': ['The attachments.0 field must be an object.'] });
  });

  test('422: every faulty item is named', async () => {
    const { body } = await api.send(account, {
      attachments: [file({ content: '!' }), file(), file({ filename: 'x.exe', content: null })],
    });
    expect(Object.keys(body.errors)).toEqual([
      'attachments.0.content',
      'attachments.2.filename',
      'attachments.2.content',
    ]);
    expect(body.message).toMatch(/ \(and 2 more errors\)$/);
  });

  // spec: docs/contract.md#attachments: attachments: max 10 items, 10 MB decoded
  test('201: 10 items; 422: 11', async () => {
    expect(await accepted(...Array.from({ length: 10 }, () => file()))).toHaveLength(10);
    expect(await refused(...Array.from({ length: 11 }, () => file()))).toEqual({
      attachments: ['The attachments field must not have more than 10 items.'],
    });
  });

  // spec: docs/contract.md#attachments: attachments: max 10 items, 10 MB decoded
  test('201: 10 MB decoded in all; 422: a byte more', async () => {
    const half = Buffer.alloc(5 * MIB, 1).toString('base64');
    const more = Buffer.alloc(5 * MIB + 1, 1).toString('base64');
    expect(await accepted(file({ content: half }), file({ content: half }))).toHaveLength(2);
    expect(await refused(file({ content: half }), file({ content: more }))).toEqual({
      attachments: ['The attachments field must not be greater than 10 MB in total.'],
    });
  });
});
