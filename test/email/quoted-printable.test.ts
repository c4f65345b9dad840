import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toUSVString } from 'node:util';
import { encodeQuotedPrintable, QpJoin, qpPart } from '../../email/quoted-printable';
import { anyText } from '../support/any-text';

/** A decoder by the letter of RFC 2045. */
function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function join(texts: readonly string[]): string {
  const joined = new QpJoin();
  for (const text of texts) joined.add(qpPart(text));
  return joined.text;
}

const lineBreaks = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n');
const pieces = fc.array(
  fc.oneof(
    fc.string({ maxLength: 90 }),
    anyText(90),
    fc.constantFrom(
      '',
      ' ',
      '\t',
      '.',
      '=',
      'From ',
      'From',
      '\r\n',
      '\n',
      '\r',
      '  \n',
      '\n.\n',
      '\nFrom me',
      'a'.repeat(75),
      'a'.repeat(76),
      'é'.repeat(40),
    ),
  ),
  { maxLength: 12 },
);

describe('quoted-printable', () => {
  it('of any text has lines of printable ASCII, 76 columns at most, no white space at their ends', () => {
    fc.assert(
      fc.property(pieces, (texts) => {
        for (const line of join(texts).split('\r\n')) {
          expect(line).toMatch(/^[ -~\t]{0,76}$/);
          expect(line).not.toMatch(/[ \t]$/);
          expect(line).not.toMatch(/^\.|^From /);
        }
      }),
    );
  });

  it('of parts joined decodes to the parts, every line break as CRLF', () => {
    fc.assert(
      fc.property(pieces, (texts) => {
        expect(decode(join(texts))).toBe(texts.map((text) => lineBreaks(toUSVString(text))).join(''));
      }),
    );
  });

  it('of the same text is the same in one part and encoded at once', () => {
    fc.assert(
      fc.property(anyText(300), (text) =>
        expect(decode(encodeQuotedPrintable(text))).toBe(lineBreaks(toUSVString(text))),
      ),
    );
  });

  it('hides "From " at the start of a line also where it is put together from parts', () => {
    expect(join(['From', ' me'])).toBe('=46rom me');
    expect(join(['a\nFr', 'om me'])).toBe('a\r\n=46rom me');
    expect(join(['Format'])).toBe('Format');
  });

  it('joins short parts without a break', () => {
    expect(join(['<p>Halo ', 'Budi', ', apa kabar?</p>'])).toBe('<p>Halo=20Budi, apa kabar?</p>');
  });
});
