import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { relaxedBody, relaxedHeader } from '../../email/dkim-canonical';

const relaxed = (body: string): string => Buffer.concat(relaxedBody(Buffer.from(body, 'latin1'))).toString('latin1');

describe('relaxed canonical form', () => {
  it('is that of RFC 6376 section 3.4.5', () => {
    expect(relaxedHeader({ name: 'A', value: ' X' })).toBe('a:X');
    expect(relaxedHeader({ name: 'B', value: ' Y\t\r\n\tZ  ' })).toBe('b:Y Z');
    expect(relaxed(' C \r\nD \t E\r\n\r\n\r\n')).toBe(' C\r\nD E\r\n');
  });

  it.each([
    ['', ''],
    ['\r\n', ''],
    ['\r\n \t\r\n', ''],
    ['a\r\n', 'a\r\n'],
    ['a  \r\n \r\n', 'a\r\n'],
    ['\r\n\r\na\r\n\r\nb\r\n', '\r\n\r\na\r\n\r\nb\r\n'],
    ['a\tb  c\r\nAAAA\r\nBBBB\r\n', 'a b c\r\nAAAA\r\nBBBB\r\n'],
    ['a \r\n', 'a\r\n'],
  ])('of the body %j is %j', (body, expected) => expect(relaxed(body)).toBe(expected));

  it('of any body is what the rule says, line by line', () => {
    const line = fc.string({ unit: fc.constantFrom(' ', '\t', 'a', '.'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const expected = lines
          .map((text) => `${text.replace(/[ \t]+/g, ' ').replace(/ $/, '')}\r\n`)
          .join('')
          .replace(/^(\r\n)+$|(?<=[^\n]\r\n)(\r\n)+$/, '');
        expect(relaxed(lines.map((text) => `${text}\r\n`).join(''))).toBe(expected);
      }),
    );
  });
});
