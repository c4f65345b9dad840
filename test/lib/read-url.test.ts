import { describe, expect, it } from '@jest/globals';
import { readUrl } from '../../lib/read-url';

describe('reading a URL', () => {
  it('answers alike the first time and the hundred-thousandth, also with letters beyond ASCII', () => {
    let read = 0;
    for (let i = 0; i < 100_000; i += 1) if (readUrl('http://kafé.contoh.test/x?y=é')) read += 1;
    expect(read).toBe(100_000);
  });

  it('is null for what is none', () => {
    for (const text of ['', 'x', '/t/c', 'http://', 'https://[::1']) expect(readUrl(text)).toBeNull();
  });
});
