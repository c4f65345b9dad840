import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Lane } from '../../domain/messages/message';
import { acceptMessage, aContact, type Sender } from '../support/builders';
import { describeOnEngines } from '../support/engines';
import { limitFor } from '../support/limits';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Running } from '../support/running';
import { makeTenant, type Tenant } from '../support/tenant';
import { Turnstile } from '../support/turnstile';

/** Connections of the program to the sending server, each with a mail under way. */
const CONNECTIONS = 20;
/** One mail each so many ms: far less than the account may send. */
const EVERY = 60;
/**
 * What may arrive before a password reset: what is on the wire, its turn of ten, and what passes while it is claimed.
 */
const BEFORE = CONNECTIONS + 10 + 15;
const RATE = 100_000;

const isCampaign = (address: string): boolean => address.startsWith('campaign');

interface Mailing {
  tenant: Tenant;
  accept: (lane: Lane, count: number) => Promise<void>;
}

/** An account with much coins and a high rate, which has mail of campaigns as the expansion of one makes it. */
async function mailing(running: Running, name: string): Promise<Mailing> {
  const tenant = await makeTenant(running, name, 'premium');
  const { stores } = running;
  await stores.workspaces.setRate(tenant.workspaceId, { perMinute: RATE }, running.clock.now());
  const [workspace, domain] = [
    (await stores.workspaces.get(tenant.workspaceId))!,
    (await stores.domains.get(tenant.domainId))!,
  ];
  const accept = async (lane: Lane, count: number): Promise<void> => {
    const one = async (n: number): Promise<void> => {
      const contact = await stores.contacts.ensure(
        aContact(workspace.id, { email: `${lane}+${n}@${name}.test`, at: running.clock.now() }),
      );
      const sender: Sender = { workspace, domain, contact };
      await acceptMessage(stores, sender, { facts: { lane, createdAt: running.clock.now() } });
    };
    await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  };
  return { tenant, accept };
}

/** Sends a password reset; how many campaign mails arrive between its 201 and its arrival. */
async function campaignMailBefore(server: Turnstile, { api, domainId }: Tenant, name: string): Promise<number> {
  const to = `reset+${name}@x.test`;
  await api.send(to, domainId);
  const from = server.arrived.length;
  await server.until(`the reset ${name}`, (arrived) => arrived.includes(to));
  return server.arrived.slice(from, server.arrived.indexOf(to)).filter(isCampaign).length;
}

describeOnEngines('a sending server that is slower than the account', (install) => {
  let running: Running;
  let server: Turnstile;
  beforeAll(async () => {
    server = await Turnstile.start(EVERY);
    running = await Running.startOn(install(), { KURIR_MTA_URL: server.url, KURIR_DEMO: 'true' });
  });
  afterAll(async () => {
    await server.stop();
    await running.stop();
  });

  it(
    'gets a password reset within one turn of ten, beside a campaign and beside those of other workspaces',
    async () => {
      const shop = await mailing(running, 'toko');
      await shop.accept('campaign', 700);
      await server.until('mails of the campaign', (arrived) => arrived.length >= 2 * CONNECTIONS);
      const beside: number[] = [];
      for (const name of ['a', 'b', 'c']) beside.push(await campaignMailBefore(server, shop.tenant, name));
      const others = await Promise.all(['satu', 'dua', 'tiga', 'empat'].map((name) => mailing(running, name)));
      await Promise.all(others.map(({ accept }) => accept('campaign', 100)));
      const from = server.arrived.length;
      await server.until('mails of other campaigns', (arrived) =>
        arrived.slice(from).some((address) => isCampaign(address) && !address.endsWith('@toko.test')),
      );
      for (const name of ['d', 'e']) beside.push(await campaignMailBefore(server, shop.tenant, name));
      expect(Math.max(...beside)).toBeLessThanOrEqual(BEFORE);
      // It is one of ten, not none.
      expect(server.arrived.filter(isCampaign).length).toBeGreaterThan(2 * CONNECTIONS);
    },
    limitFor(2),
  );

  it(
    'goes on with campaigns while much transactional mail waits: one turn of nine is theirs',
    async () => {
      const flood = await mailing(running, 'banjir');
      await flood.accept('transactional', 200);
      const isFlood = (address: string): boolean => address.endsWith('@banjir.test');
      await server.until('transactional mail', (arrived) => arrived.some(isFlood));
      const from = server.arrived.findIndex(isFlood);
      await server.until('all of it', (arrived) => arrived.filter(isFlood).length === 200);
      const meanwhile = server.arrived.slice(from, server.arrived.findLastIndex(isFlood)).filter(isCampaign).length;
      expect(meanwhile).toBeGreaterThanOrEqual(200 / 10);
      expect(meanwhile).toBeLessThan(2 * CONNECTIONS + 200 / 4);
    },
    limitFor(2),
  );
});

describeOnCluster('processes that dispatch to a slow sending server', (urls) => {
  it(
    'each read ahead in lanes: a password reset passes the campaigns of their partitions',
    async () => {
      const server = await Turnstile.start(EVERY);
      const installation = clusterInstallation(urls, uniqueName());
      const env = { KURIR_MTA_URL: server.url, KURIR_DEMO: 'true', KURIR_MTA_CONNECTIONS: '10' };
      const one = await Running.startOn(installation, env);
      const two = await Running.startOn(installation, env);
      const shop = await mailing(one, 'toko');
      await shop.accept('campaign', 700);
      await server.until('mails of the campaign', (arrived) => arrived.length >= 60);
      const beside: number[] = [];
      for (const name of ['a', 'b', 'c']) beside.push(await campaignMailBefore(server, shop.tenant, name));
      expect(Math.max(...beside)).toBeLessThanOrEqual(BEFORE);
      await server.stop();
      await two.rest();
      await one.stop();
    },
    limitFor(2),
  );
});
