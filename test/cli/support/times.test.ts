import { afterEach, describe, expect, it } from '@jest/globals';
import { showTime, showTimesIn } from '../../../cli/support/times';

afterEach(() => showTimesIn('WIB'));

describe('showTime', () => {
  it('is in WIB with its name, also across the midnight of WIB, and in UTC when that is wanted', () => {
    const at = Date.UTC(2026, 0, 31, 17, 0, 5, 999);
    expect(showTime(at)).toBe('2026-02-01 00:00:05 WIB');
    showTimesIn('UTC');
    expect(showTime(at)).toBe('2026-01-31 17:00:05 UTC');
    expect(showTime(null)).toBeNull();
  });
});
