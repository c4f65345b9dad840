import { expect, it } from '@jest/globals';
import type { Campaign } from '../../../domain/campaigns/campaign';
import { showCampaign } from '../../../operations/campaigns/campaign-view';
import type { Session } from '../../../operations/definition';
import { MINUTE } from '../../../lib/clock';
import { TEST_START as NOW } from '../../support/clock';

/** Claims one behind the other, the newest now; `every` ms. */
const session = (pending: number, claims: number, every: number): Session =>
  ({
    clock: { now: () => NOW },
    stores: {
      campaignRuns: { progress: async () => ({ counts: { pending } }) },
      queue: {
        recentClaims: async (workspaceId: number, since: number, limit: number) =>
          workspaceId === 7 && since === NOW - MINUTE
            ? Array.from({ length: Math.min(claims, limit) }, (_, n) => NOW - n * every)
            : [],
      },
    },
  }) as unknown as Session;
const paceOf = async (status: Campaign['status'], pending: number, claims: number, every = 0) =>
  (await showCampaign(session(pending, claims, every), { status, workspaceId: 7 } as Campaign)).pace;

it('a campaign that is being sent tells its pace, and its end once something moves', async () => {
  expect(await paceOf('live', 3_050, 300)).toEqual({ perMinute: 300, endsAt: NOW + 11 * MINUTE });
  expect(await paceOf('live', 3_050, 0)).toEqual({ perMinute: 0, endsAt: null });
  expect(await paceOf('live', 0, 300)).toBeNull();
  expect(await paceOf('paused', 3_050, 300)).toBeNull();
});

it('more claims in a minute than are read tell the pace by the time that those read took', async () => {
  // 40,000 a minute: one each 1.5 ms.
  const pace = await paceOf('live', 400_000, 40_000, 1.5);
  expect(pace?.perMinute).toBeCloseTo(40_000, -2);
  expect(pace?.endsAt).toBe(NOW + 10 * MINUTE);
});
