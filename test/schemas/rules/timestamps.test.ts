import { expect, test } from '@jest/globals';
import { MOMENT, objectTime, readMoment, webhookTime } from '../../../schemas/rules/timestamps';

const AT = Date.UTC(2026, 8, 22, 4, 5, 6, 78);

// spec: docs/contract.md#time: time in object data: `YYYY-MM-DDTHH:MM:SS.ffffffZ`
test('object data uses the shape YYYY-MM-DDTHH:MM:SS.ffffffZ', () => {
  expect(objectTime(AT)).toBe('2026-09-22T04:05:06.078000Z');
});

// spec: docs/contract.md#time: time in webhook payloads: `YYYY-MM-DDTHH:MM:SS+00:00`
test('webhook payloads use YYYY-MM-DDTHH:MM:SS+00:00', () => {
  expect(webhookTime(AT)).toBe('2026-09-22T04:05:06+00:00');
});

test.each([
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  ['2026-01-05T10:00', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05T10:00:00.5+07:00', '2026-01-05T03:00:00.500Z'],
])('a bound by time %s is %s: a date alone is midnight UTC', (text, at) => {
  expect(readMoment(text)).toBe(Date.parse(at));
  expect(MOMENT.test(text)).toBe(true);
});

test('the first and the last moment that can be written are read, not those that an offset leads beyond', () => {
  expect(readMoment('0000-01-01T00:00Z')).toBe(Date.parse('0000-01-01T00:00:00Z'));
  expect(readMoment('9999-12-31T23:59:59.999Z')).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
  expect(readMoment('0000-01-01T00:00+00:01')).toBeNull();
  expect(readMoment('9999-12-31T23:59-00:01')).toBeNull();
});

test.each(['2026-02-30', '2026-1-5', '20260105', 'kemarin', '2026-01-05Z', '1767571200', '2026-01-05T'])(
  'a bound by time is never %s',
  (text) => {
    expect(readMoment(text)).toBeNull();
  },
);
