import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import { exactDuration, formatDuration, parseDuration } from '../../lib/duration';

describe('a duration', () => {
  it.each([
    ['30s', 30 * SECOND],
    ['10m', 10 * MINUTE],
    ['23h', 23 * HOUR],
    ['3d', 3 * DAY],
    [' 3d ', 3 * DAY],
    ['0s', 0],
    ['1d12h', DAY + 12 * HOUR],
    ['1d 12h', DAY + 12 * HOUR],
    ['2h 5s', 2 * HOUR + 5 * SECOND],
  ])('written "%s" is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    ' ',
    '3',
    'd',
    '3 d',
    '-3d',
    '+3d',
    '1.5h',
    '3w',
    '3D',
    '1h1d',
    '1d1d',
    '3d x',
    '1e3s',
    '９s',
    'Infinity',
  ])('is not "%s"; the error says how it is written', (text) => {
    expect(() => parseDuration(text)).toThrow(new RangeError('must be a duration such as 30s, 10m, 23h, 3d or 1d12h'));
  });

  it('too long to count in ms is refused', () => {
    expect(() => parseDuration(`${'9'.repeat(400)}d`)).toThrow(RangeError);
    expect(() => parseDuration('99999999999999d')).toThrow(RangeError);
  });

  it.each([
    [0, '0s'],
    [-5, '0s'],
    [499, '0s'],
    [500, '1s'],
    [90 * SECOND, '1m 30s'],
    [3 * DAY, '3d'],
    [3 * DAY + 4 * HOUR + 5 * MINUTE, '3d 4h'],
    [3 * DAY + 5 * MINUTE, '3d'],
    [HOUR - 1, '1h'],
  ])('of %d ms is shown as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('that was shown reads as no more than was there, and within its smallest unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
        const read = parseDuration(formatDuration(seconds * SECOND));
        return read <= seconds * SECOND && seconds * SECOND - read < HOUR * 24;
      }),
    );
  });
});

describe('an exact duration', () => {
  it.each([
    [131_400_000, '1d12h30m'],
    [MINUTE, '1m'],
    [0, '0s'],
    [-1, '0s'],
  ])('of %d ms is written %s', (ms, text) => {
    expect(exactDuration(ms)).toBe(text);
  });

  it('of whole seconds is read as it was', () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        expect(parseDuration(exactDuration(seconds * SECOND))).toBe(seconds * SECOND);
      }),
    );
  });
});
