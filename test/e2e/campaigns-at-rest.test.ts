import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../../proof/crash/installation';
import { SECOND } from '../../lib/clock';
import { wrapEngine } from '../../stores/wrappers/wrap-engine';
import { eventually } from '../contract/helpers';
import { prepareCampaign, type Prepared } from '../support/campaigns';
import { describeOnEngines } from '../support/engines';
import { limitFor } from '../support/limits';
import { Running } from '../support/running';

const LIMIT = limitFor(2);
const CAMPAIGNS = 10;
const WATCHED = 16;

describeOnEngines('campaigns whose last report is missing', (install) => {
  let installation: Installation;
  let running: Running;
  let looks = 0;
  beforeAll(async () => {
    installation = install();
    running = await Running.startOn(installation, {}, undefined, {
      wrap: {
        engine: (engine) =>
          wrapEngine(engine, {
            campaignRuns: {
              progress: (progress) => (ref) => {
                looks += 1;
                return progress(ref);
              },
            },
          }),
      },
    });
    await running.stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' });
  });
  afterAll(() => running.stop());

  const started = async (n: number): Promise<Prepared> => {
    const { engine, keyring, clock } = running.kurir.services;
    const of = { stores: engine.stores, keyring, workspaceId: 1, domainId: running.demo.sending_domain_id };
    const addresses = [`norecord+${n}@pelanggan.test`, `delivered+${n}@pelanggan.test`];
    const prepared = await prepareCampaign({ ...of, at: clock.now() }, addresses);
    expect(await running.api.request('POST', `/campaigns/${prepared.campaign.id}/send`)).toMatchObject({ status: 200 });
    return prepared;
  };
  const statusOf = async ({ campaign }: Prepared): Promise<unknown> =>
    (await running.stores.campaigns.get(1, campaign.id))?.status;

  // spec: docs/contract.md#campaign-statuses: completed once every message is final
  it(
    'are looked at a few times in all, not every second, and are completed at once when it comes',
    async () => {
      const campaigns: Prepared[] = [];
      for (let n = 0; n < CAMPAIGNS; n += 1) campaigns.push(await started(n));
      await eventually(async () => {
        for (const { campaign } of campaigns) {
          const { counts } = (await running.stores.campaignRuns.progress(campaign))!;
          expect(counts).toMatchObject({ pending: 0, inHand: 1, delivered: 1 });
        }
      });
      await pause(8 * SECOND);
      looks = 0;
      await pause(WATCHED * SECOND);
      // Each at most twice, where it was once a second.
      expect(looks).toBeLessThanOrEqual(2 * CAMPAIGNS);
      const [first] = campaigns;
      const rows = await running.stores.campaignRuns.recipients(first!.campaign, 0, 10);
      const waiting = rows.find(({ status }) => status !== 'delivered')!;
      const set = { status: 'delivered', dueAt: null } as const;
      await running.stores.messages.change(waiting.messageId!, () => ({ set, at: running.clock.now(), records: [] }));
      // Long before the next look, an hour later.
      await eventually(async () => expect(await statusOf(first!)).toBe('completed'));
      expect(await statusOf(campaigns[1]!)).toBe('live');
    },
    LIMIT,
  );
});
