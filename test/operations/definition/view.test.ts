import { describe, expect, it } from '@jest/globals';
import { fit, printable, width } from '../../../lib/printable';
import { upTo, View } from '../../../operations/definition';

const view = new View((_, text) => text);

describe('text of others', () => {
  it.each([
    ['a\x1b[2Jb', 'a\\x1b[2Jb'],
    ['a\r\nb\tc', 'a\\x0d\\x0ab\\x09c'],
    ['\x9b31m\x7f', '\\x9b31m\\x7f'],
    ['ab\u202Edc\u2066', 'abdc'],
    ['Pesanan “Anda” 🌼', 'Pesanan “Anda” 🌼'],
  ])('%j is printed as %j', (text, printed) => {
    expect(printable(text)).toBe(printed);
  });
});

describe('width', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['🌼', 2],
    ['e\u0301', 1],
  ])('of %j is %d columns', (text, columns) => {
    expect(width(text)).toBe(columns);
  });

  it('what does not fit is cut between characters and marked', () => {
    expect(fit('日本語', 6)).toBe('日本語');
    expect(fit('日本語', 5)).toBe('日本…');
    expect(fit('日本語', 4)).toBe('日…');
  });
});

describe('a table', () => {
  it('aligns by columns on the screen, numbers to the right, nothing as -', () => {
    const rows = [
      { id: 1, name: '日本', z: null },
      { id: 20, name: 'abc', z: 'x' },
    ];
    expect(view.table(rows, { id: 'id', name: 'name', z: 'z' }, 'none')).toBe(
      'id  name  z\n' + ' 1  日本  -\n' + '20  abc   x\n',
    );
    expect(view.table([], { id: () => 1 }, 'Nothing here.')).toBe('Nothing here.\n');
  });

  it('keeps a row on its line whatever a cell holds', () => {
    expect(view.table([{ a: 'x\n'.repeat(50) }], { a: upTo(6, 'a') }).split('\n')).toHaveLength(3);
    expect(view.details({ reason: 'one\ntwo' }, { reason: 'reason' })).toBe('reason  one\\x0atwo\n');
  });

  it('shows switches as on and off, lists with commas, and times by the names of their fields', () => {
    const row = { on: true, scopes: ['a', 'b'], none: [], created_at: '2026-01-31T17:00:05.999000Z', endedAt: 0 };
    expect(
      view.details(row, { on: 'on', scopes: 'scopes', none: 'none', created: 'created_at', ended: 'endedAt' }),
    ).toBe(
      'on       on\n' +
        'scopes   a, b\n' +
        'none     -\n' +
        'created  2026-02-01 00:00:05 WIB\n' +
        'ended    1970-01-01 07:00:00 WIB\n',
    );
  });
});

describe('a time', () => {
  it('is in WIB with its name, also across the midnight of WIB, and in UTC when that is wanted', () => {
    const at = Date.UTC(2026, 0, 31, 17, 0, 5, 999);
    expect(view.time(at)).toBe('2026-02-01 00:00:05 WIB');
    expect(new View((_, text) => text, 'UTC').time(at)).toBe('2026-01-31 17:00:05 UTC');
    expect(view.time(null)).toBeNull();
  });
});
