import { expect, test } from '@jest/globals';
import { objectTime, webhookTime } from '../../schemas/timestamps';

const AT = Date.UTC(2026, 8, 22, 4, 5, 6, 78);

test('object data uses the shape YYYY-MM-DDTHH:MM:SS.ffffffZ', () => {
  expect(objectTime(AT)).toBe('2026-09-22T04:05:06.078000Z');
});

test('webhook payloads use YYYY-MM-DDTHH:MM:SS+00:00', () => {
  expect(webhookTime(AT)).toBe('2026-09-22T04:05:06+00:00');
});
