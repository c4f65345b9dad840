import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { decodeQuotedPrintable } from '../../../../smtp/relay/mail/quoted-printable';

const decode = (body: string): string => decodeQuotedPrintable(Buffer.from(body, 'latin1')).toString('latin1');

test.each([
  ['escapes in upper and lower case', 'caf=C3=A9 =c3=a9', 'cafÃ© Ã©\n'],
  ['soft line breaks, with CRLF and with LF', 'a=\r\nb=\nc\r\n', 'abc\n'],
  ['an escaped sign and an escaped dot', '=3D41 =2E', '=41 .\n'],
  ['what is no escape stays', '=4 =G1 =1G == =\tx', '=4 =G1 =1G == =\tx\n'],
  ['an escape that the line cuts off', 'a=4=\r\n1', 'a=41\n'],
  ['a soft break at the end of all', 'a=', 'a'],
  ['nothing', '', ''],
])('%s', (_, body, expected) => {
  expect(decode(body)).toBe(expected);
});

test('is what the parser makes of it, whatever the bytes', async () => {
  const tokens = ['=', '=\r\n', '\r\n', '\n', '\r', '=3D', '=e9', '=0', '3', 'F', 'g', ' ', '\t', '\0', 'é', 'text'];
  const bodies = fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const head = 'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';
      const { attachments } = await PostalMime.parse(Buffer.from(`${head}${body}`, 'latin1'));
      const [{ content } = { content: '' }] = attachments;
      const parsed = Buffer.from(content as ArrayBuffer).toString('latin1');
      expect(decode(body).replace(/\n$/, '')).toBe(parsed.replace(/\n$/, ''));
    }),
    { numRuns: 2_000 },
  );
});
