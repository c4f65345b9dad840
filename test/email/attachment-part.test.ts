import { describe, expect, it } from '@jest/globals';
import { attachmentPart, type MimePart } from '../../email/attachment-part';
import { composeInput } from './support/compose-input';
import { composeAndRead } from './support/read-mail';

const attachment = (change: { filename?: string; contentType?: string; content?: Buffer } = {}) => ({
  filename: 'a.pdf',
  contentType: 'application/pdf',
  content: Buffer.from('%PDF'),
  ...change,
});

/** The part as text. */
function textOf(part: MimePart): string {
  const output = Buffer.alloc(part.length + 2, '#');
  expect(part.writeTo(output, 1)).toBe(part.length + 1);
  expect([output[0], output.at(-1)]).toEqual([0x23, 0x23]);
  return output.toString('latin1', 1, part.length + 1);
}

describe('attachments', () => {
  it.each([
    'nota.pdf',
    'nota juli (1); final, v2.pdf',
    'résumé – 2026.pdf',
    '発注書.pdf',
    `${'ä'.repeat(250)}.pdf`,
    `${'a'.repeat(250)}.pdf`,
    "it's 100% *new*!.pdf",
  ])('reach the reader with their name, type and bytes: %s', async (filename) => {
    const content = Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 256));
    const mail = await composeAndRead(
      composeInput({ attachments: [attachment({ filename, content }), attachment({ content: Buffer.alloc(0) })] }),
    );
    expect(mail.attachments).toHaveLength(2);
    expect(mail.attachments[0]).toMatchObject({ filename, mimeType: 'application/pdf', disposition: 'attachment' });
    expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(content)).toBe(true);
    expect(mail.attachments[1]!.content).toHaveProperty('byteLength', 0);
    expect(mail.html).toContain('<p>Halo</p>');
    expect(mail.text).toContain('Halo');
  });

  it('are sent as base64 in lines of at most 76 columns, ASCII throughout', () => {
    for (const size of [0, 1, 56, 57, 58, 114, 10_000]) {
      const part = textOf(
        attachmentPart(attachment({ content: Buffer.alloc(size, 7), filename: `${'é'.repeat(200)}.pdf` })),
      );
      expect(part.split('\r\n').every((line) => /^[ -~]{0,76}$/.test(line))).toBe(true);
      expect(Buffer.from(part.slice(part.indexOf('\r\n\r\n')), 'base64')).toHaveLength(size);
    }
  });

  it.each([
    ['text/csv; charset=utf-8', 'text/csv; charset=utf-8'],
    ['text/csv\r\nBcc: x@y.test', 'application/octet-stream'],
    ['message/rfc822', 'application/octet-stream'],
    ['Multipart/mixed; boundary=x', 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    [`text/plain; name=${'x'.repeat(300)}`, 'text/plain'],
  ])('of type %j are sent as %j', (contentType, sent) => {
    expect(textOf(attachmentPart(attachment({ contentType }))).split('\r\n')[0]).toBe(`Content-Type: ${sent};`);
  });
});
