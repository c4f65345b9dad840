import { expect, test } from '@jest/globals';
import { MINUTE } from '../../../lib/clock';
import { RATE_WINDOW, sendRate } from '../../../domain/queue/send-rate';

// spec: docs/contract.md#send-rate: free account: 10 emails/minute, max 300/day
test('free account: 10 emails/minute, max 300/day', () => {
  expect(sendRate(false)).toEqual({ perMinute: 10, perDay: 300 });
});

// spec: docs/contract.md#send-rate: premium account: 1,200 emails/minute, no daily limit
test('premium account: 1,200 emails/minute, no daily limit', () => {
  expect(sendRate(true)).toEqual({ perMinute: 1_200, perDay: null });
});

test('the window claims are counted in is never shorter than the minute promised', () => {
  expect(RATE_WINDOW).toBeGreaterThanOrEqual(MINUTE);
});
