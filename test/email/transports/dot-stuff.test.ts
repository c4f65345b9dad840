import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dotStuff } from '../../../email/transports/dot-stuff';

/** The mail as it goes over the wire, made in pieces of `size`. */
function wire(raw: string, size = 1_000_000): string {
  const bytes = Buffer.from(raw, 'latin1');
  let out = '';
  let start = 0;
  do {
    const end = Math.min(start + size, bytes.length);
    out += dotStuff(bytes, start, end).toString('latin1');
    start = end;
  } while (start < bytes.length);
  return out;
}

/** What a server that knows only CRLF as the end of a line takes from the wire (RFC 5321 section 4.5.2). */
function received(bytes: string): { mail: string; after: string } {
  const end = `\r\n${bytes}`.indexOf('\r\n.\r\n');
  return { mail: bytes.slice(0, end).replace(/(^|\r\n)\./g, '$1'), after: bytes.slice(end + 3) };
}

describe('a mail on the wire', () => {
  it.each([
    ['a mail without dots', 'a\r\nb\r\n', 'a\r\nb\r\n.\r\n'],
    ['a mail that begins with a dot', '.a\r\n', '..a\r\n.\r\n'],
    ['lines of dots', 'a\r\n.\r\n..\r\n.b\r\n', 'a\r\n..\r\n...\r\n..b\r\n.\r\n'],
    ['dots within lines', 'a.b\r\nc.\r\n', 'a.b\r\nc.\r\n.\r\n'],
    ['no line end at the end', 'a\r\nb', 'a\r\nb\r\n.\r\n'],
    ['a dot without a line end at the end', 'a\r\n.', 'a\r\n..\r\n.\r\n'],
    ['nothing at all', '', '\r\n.\r\n'],
    ['a bare LF before a dot', 'a\n.\r\nMAIL FROM:<x@y>\r\n', 'a\n..\r\nMAIL FROM:<x@y>\r\n.\r\n'],
    ['a bare CR before a dot', 'a\r.\rb\r\n', 'a\r..\rb\r\n.\r\n'],
    ['a bare CR or LF at the end', 'a\r', 'a\r\r\n.\r\n'],
  ])('ends where it ends: %s', (_name, raw, expected) => {
    expect(wire(raw)).toBe(expected);
  });

  it('of any bytes in pieces of any size arrives as it was, and ends nowhere before', () => {
    const piece = fc.constantFrom('.', '\r\n', '\r\n.', 'a', '.\r\n', '\u00e9');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const raw = pieces.join('');
        const { mail, after } = received(wire(raw, size));
        expect(after).toBe('');
        expect(mail).toBe(raw.endsWith('\r\n') ? raw : `${raw}\r\n`);
      }),
    );
  });

  it('with bare line ends too ends nowhere before, for servers that take them for line ends', () => {
    const piece = fc.constantFrom('.', '\r', '\n', '\r\n', 'a');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const bytes = wire(pieces.join(''), size);
        expect(`\n${bytes}`.slice(0, -1).search(/[\r\n]\.[\r\n]/)).toBe(bytes.length - 3);
      }),
    );
  });
});
