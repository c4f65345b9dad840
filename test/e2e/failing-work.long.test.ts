import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { openMongo } from '../../stores/mongodb/database/client';
import { prepareCollections } from '../../stores/mongodb/database/prepare';
import type { Decide } from '../../stores/ports/message-store';
import type { LedgerEntry } from '../../domain/ledger/coins';
import type { Engine } from '../../stores/ports/engine';
import type { ClaimRequest } from '../../stores/ports/send-queue';
import { AdvancingClock } from '../../lib/advancing-clock';
import { eventually } from '../contract/helpers';
import { prepareCampaign } from '../support/campaigns';
import { describeOnEngines } from '../support/engines';
import { giveUpAt, limitFor } from '../support/limits';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Running } from '../support/running';

const LIMIT = limitFor(2);

interface Ready {
  status: number;
  not_ready: { name: string; reason: string }[];
}

async function readyz(running: Running): Promise<Ready> {
  const answer = await fetch(running.kurir.baseUrl.replace(/v1$/, 'readyz'));
  return { status: answer.status, ...((await answer.json()) as Omit<Ready, 'status'>) };
}

/** Waits for the status; returns the answer and the seconds it took. */
async function untilReady(running: Running, status: number): Promise<Ready & { seconds: number }> {
  const began = performance.now();
  const end = giveUpAt();
  for (;;) {
    const ready = await readyz(running);
    const seconds = (performance.now() - began) / 1_000;
    if (ready.status === status) return { ...ready, seconds };
    if (performance.now() > end) throw new Error(`still ${ready.status}: ${JSON.stringify(ready.not_ready)}`);
    await pause(200);
  }
}

describeOnEngines('work that fails all the time', (install) => {
  let running: Running;
  /** The call that fails; null: none. */
  let broken: string | null = null;
  const fail = (): Promise<never> => Promise.reject(new Error('the index is not there'));

  beforeAll(async () => {
    const wrap = (engine: Engine): Engine => {
      const { queue, messages, coins, campaignRuns } = engine.stores;
      const feed: typeof campaignRuns.feed = (...args) => (broken === 'feed' ? fail() : campaignRuns.feed(...args));
      const change: typeof messages.change = (id, decide, known) => {
        const judged: Decide = (message) => {
          const result = decide(message);
          if (result?.set.status === broken) throw new Error('the index is not there');
          return result;
        };
        return messages.change(id, judged, known);
      };
      const stores = {
        ...engine.stores,
        queue: { ...queue, claim: (request: ClaimRequest) => (broken === 'claim' ? fail() : queue.claim(request)) },
        messages: { ...messages, change },
        campaignRuns: { ...campaignRuns, feed },
        coins: { ...coins, post: (entry: LedgerEntry) => (broken === 'coins' ? fail() : coins.post(entry)) },
      };
      return { ...engine, stores };
    };
    running = await Running.startOn(install(), {}, new AdvancingClock(), { wrap: { engine: wrap } });
  });
  afterAll(() => running.stop());

  it(
    'in claiming: /readyz answers 503 and says so, and 200 when it works again',
    async () => {
      expect((await readyz(running)).status).toBe(200);
      broken = 'claim';
      const id = await running.send('delivered@x.test');
      const told = await untilReady(running, 503);
      expect(told.seconds).toBeGreaterThan(8);
      expect(told.not_ready).toEqual([
        {
          name: 'work',
          reason: expect.stringMatching(
            /^claiming messages \(queue\.claim\) has failed for \d+ s: the index/,
          ) as unknown,
        },
      ]);
      broken = null;
      await running.untilStatus(id, 'delivered');
      await untilReady(running, 200);
    },
    LIMIT,
  );

  it(
    'in the feed of a campaign: the same',
    async () => {
      const { engine, keyring, clock } = running.kurir.services;
      await running.stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' });
      const sender = { workspaceId: 1, domainId: running.demo.sending_domain_id };
      const scene = { ...sender, stores: engine.stores, keyring, at: clock.now() };
      const { campaign } = await prepareCampaign(scene, ['delivered@x.test']);
      broken = 'feed';
      expect((await running.api.request('POST', `/campaigns/${campaign.id}/send`)).status).toBe(200);
      const told = await untilReady(running, 503);
      expect(told.not_ready).toEqual([
        {
          name: 'work',
          reason: expect.stringMatching(/^due work campaigns has failed for \d+ s: the index/) as unknown,
        },
      ]);
      broken = null;
      await untilReady(running, 200);
      await eventually(async () =>
        expect(await running.stores.campaigns.get(1, campaign.id)).toMatchObject({ status: 'completed' }),
      );
    },
    LIMIT,
  );

  it(
    'in recording reports: the same',
    async () => {
      broken = 'delivered';
      // A record that fails is parked after five tries, so that one bad record does not tell.
      // eslint-disable-next-line kurir/test-limits -- for so long it sends: what is recorded of later mails would end the failure
      const end = performance.now() + 13_000;
      const sending = (async () => {
        while (performance.now() < end) {
          await running.send('delivered@x.test');
          await pause(1_000);
        }
      })();
      const told = await untilReady(running, 503);
      expect(told.not_ready[0]?.reason).toMatch(/^recording message outcomes \(messages\.change\)|applying/);
      broken = null;
      await sending;
      await running.untilStatus(await running.send('delivered@x.test'), 'delivered');
      await untilReady(running, 200);
    },
    LIMIT,
  );
});

describeOnCluster('an index that is dropped', (urls) => {
  let installation: Installation;
  let running: Running;
  beforeAll(async () => {
    installation = clusterInstallation(urls, uniqueName());
    running = await Running.startOn(installation);
  });
  afterAll(() => running.stop());

  it(
    'stops claims: /readyz answers 503 and names what fails; with the index back, mail goes on and it answers 200',
    async () => {
      const database = installation.env['MONGODB_DATABASE'] ?? '';
      const client = new MongoClient(urls.mongodb);
      await client.db(database).collection('messages').dropIndex('messages_queued');
      await client.close();
      const id = await running.send('delivered@x.test');
      const told = await untilReady(running, 503);
      expect(told.seconds).toBeLessThan(25);
      expect(told.not_ready[0]?.reason).toMatch(/^claiming messages \(queue\.\w+\) has failed for \d+ s: /);
      const mongo = await openMongo({ url: urls.mongodb, database });
      await prepareCollections(mongo.db);
      await mongo.close();
      await running.untilStatus(id, 'delivered');
      await untilReady(running, 200);
    },
    LIMIT,
  );
});
