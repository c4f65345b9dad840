import { describe, expect, it } from '@jest/globals';
import { ReplyReader } from '../../../email/transports/reply-reader';

/** What a reader makes of the bytes when they come in pieces of `size`. */
function read(bytes: string | Buffer, size = 1_000_000): { replies: string[]; reader: ReplyReader } {
  const all = Buffer.from(bytes);
  const reader = new ReplyReader();
  const replies: string[] = [];
  for (let at = 0; at < all.length; at += size) replies.push(...reader.read(all.subarray(at, at + size)));
  return { replies, reader };
}

describe('replies of a server', () => {
  const several = '250-first\r\n250-second\r\n250 third\r\n354\r\n550 5.1.1 pengguna tidak dikenal: büdi\r\n';
  const expected = ['250-first\n250-second\n250 third', '354', '550 5.1.1 pengguna tidak dikenal: büdi'];

  it.each([1, 2, 3, 5, 7, 1_000])('are the same in pieces of %i bytes', (size) => {
    const { replies, reader } = read(several, size);
    expect(replies).toEqual(expected);
    expect(reader.fault).toBeNull();
    expect(reader.pending).toBe(false);
  });

  it('are the same cut in two anywhere', () => {
    const bytes = Buffer.from(several);
    for (let cut = 1; cut < bytes.length; cut++) {
      const reader = new ReplyReader();
      expect([...reader.read(bytes.subarray(0, cut)), ...reader.read(bytes.subarray(cut))]).toEqual(expected);
    }
  });

  it('that have begun and not ended are pending', () => {
    expect(read('250 ok\r\n2').reader.pending).toBe(true);
    expect(read('250-ok\r\n').reader.pending).toBe(true);
  });

  it('may end their lines with LF alone and have empty lines in between', () => {
    expect(read('250 a\n\r\n\n250 b\r\n').replies).toEqual(['250 a', '250 b']);
  });

  it('in no known character set are read byte by byte', () => {
    expect(read(Buffer.from('550 caf\u00e9\r\n', 'latin1')).replies).toEqual(['550 caf\u00e9']);
  });
});

describe('what is no reply', () => {
  it.each([
    ['text', 'hello\r\n'],
    ['a code of two digits', '25 ok\r\n'],
    ['a code of four digits', '2500 ok\r\n'],
    ['a code that SMTP does not have', '150 ok\r\n'],
    ['an empty line within a reply', '250-a\r\n\r\n250 b\r\n'],
    ['two codes in one reply', '250-a\r\n550 b\r\n'],
  ])('is a fault: %s', (_name, bytes) => {
    expect(read(bytes, 1).reader.fault).toMatch(/invalid SMTP reply/);
  });

  it('does not hide the replies before it, and nothing counts after it', () => {
    const { replies, reader } = read('250 ok\r\nnonsense\r\n250 late\r\n');
    expect(replies).toEqual(['250 ok']);
    expect(reader.fault).toMatch(/nonsense/);
  });

  it.each([
    ['a line', '250 '.padEnd(70_000, 'x')],
    ['a reply', '250-more\r\n'.repeat(7_000)],
  ])('is %s that never ends, and no more than 16 kB of it are kept', (_name, bytes) => {
    expect(read(bytes, 1_000).reader.fault).toMatch(/does not end/);
  });
});
