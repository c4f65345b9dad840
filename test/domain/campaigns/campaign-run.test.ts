import { expect, test } from '@jest/globals';
import { validate, version } from 'uuid';
import { campaignCounts, campaignMessageId, NEW_RUN } from '../../../domain/campaigns/campaign-run';
import { TEST_START } from '../../support/clock';

test('the id of a message follows from campaign and contact, sorts by contact, and is a UUIDv7', () => {
  const campaign = { id: 7, sentAt: TEST_START };
  const ids = [1, 2, 3_000, 2 ** 39].map((contact) => campaignMessageId(campaign, contact));
  expect([...ids].sort()).toEqual(ids);
  expect(ids.map((id) => [validate(id), version(id)])).toEqual(ids.map(() => [true, 7]));
  expect(campaignMessageId(campaign, 1)).toBe(ids[0]);
  expect(campaignMessageId({ ...campaign, id: 8 }, 1)).not.toBe(ids[0]);
  expect(parseInt(ids[0]!.slice(0, 13).replace('-', ''), 16)).toBe(TEST_START);
});

test('the counts close', () => {
  const run = { ...NEW_RUN, rows: 20, skipped: 3, fed: 12, cancelled: 1 };
  const by = { queued: 2, sending: 1, sent_to_mta: 2, delivered: 4, bounced: 1, failed: 2 };
  const { recipients, ...others } = campaignCounts(run, by);
  expect(recipients).toBe(20);
  expect(others).toEqual({ delivered: 4, bounced: 1, failed: 3, skipped: 3, pending: 6, inHand: 3 });
});
