import { expect, test } from '@jest/globals';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import { waitOf } from '../../../domain/queue/waiting';
import { TEST_START } from '../../support/clock';
import { aMessage } from '../../support/message';

test('a scheduled message waits for its time', () => {
  const sendAt = TEST_START + 1_000;
  const scheduled = aMessage({ status: 'queued', sendAt, dueAt: sendAt });
  expect(waitOf(scheduled, TEST_START, null)).toMatchObject({ for: 'schedule', owner: 'throttle', until: sendAt });
  expect(waitOf(scheduled, sendAt, null)).toMatchObject({ for: 'turn' });
  expect(waitOf({ ...scheduled, attempt: 1 }, TEST_START, null)).toMatchObject({ for: 'retry' });
});

test('a message that waits for its destination says so until its turn there', () => {
  const held = aMessage({ status: 'queued', attempt: 1, dueAt: TEST_START + 1, heldFor: 'google 7' });
  const text = 'its turn at google';
  expect(waitOf(held, TEST_START, null)).toMatchObject({ for: 'destination', until: TEST_START + 1, text });
  expect(waitOf(held, TEST_START + 1, null)).toMatchObject({ for: 'turn' });
  expect(waitOf({ ...held, heldFor: '-' }, TEST_START, null)).toMatchObject({ for: 'retry' });
});

test('a message on hold waits until its campaign is resumed', () => {
  const held = aMessage({ status: 'queued', dueAt: TEST_START + HOLD });
  expect(waitOf(held, TEST_START, null)).toMatchObject({ for: 'resumption', owner: 'throttle', until: null });
  expect(waitOf(aMessage({ status: 'queued', dueAt: TEST_START }), TEST_START, null)).toMatchObject({ for: 'turn' });
});
