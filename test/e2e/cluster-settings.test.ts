import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreClock } from '../../operations/processes/store-clock';
import { ROLES } from '../../operations/config/roles';
import { AdvancingClock } from '../../lib/advancing-clock';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import { freePorts } from '../../proof/crash/free-ports';
import type { Installation } from '../../proof/crash/installation';
import { SECOND } from '../../lib/clock';
import { giveUpAt, limitFor } from '../support/limits';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Running } from '../support/running';
import { kurir } from '../support/service';

const LIMIT = limitFor(2);
const STANDBY = { message: 'Service Unavailable', code: 'standby' };
const WITHOUT_MAIL = ROLES.filter((role) => !['throttle', 'dispatch', 'smtp', 'sandbox'].includes(role)).join();

interface Ready {
  status: number;
  degraded: boolean;
  not_ready: { name: string; reason: string }[];
  degraded_by: { name: string; reason: string }[];
}

const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name).sort();

async function readyz(running: Running): Promise<Ready> {
  const { httpPort } = running.kurir.services.config;
  const answer = await fetch(`http://127.0.0.1:${httpPort}/readyz`);
  return { status: answer.status, ...((await answer.json()) as Omit<Ready, 'status'>) };
}

async function until(running: Running, what: string, holds: (ready: Ready) => boolean): Promise<Ready> {
  for (const end = giveUpAt(); performance.now() < end; await pause(100)) {
    const ready = await readyz(running);
    if (holds(ready)) return ready;
  }
  throw new Error(`waited for ${what}: ${JSON.stringify(await readyz(running))}`);
}

describeOnCluster('processes of one installation', (urls) => {
  let installation: Installation;
  const running: Running[] = [];
  beforeEach(() => {
    installation = clusterInstallation(urls, uniqueName());
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.kurir.stop();
    await installation.remove();
  });
  const SAME = { KURIR_PUBLIC_URL: 'https://mail.test', KURIR_MTA_URL: 'smtp://user:mta-pass@127.0.0.1:1' };
  /** `wall`: what the clock of its machine shows. */
  const start = async (env: Record<string, string>, wall = Date.now): Promise<Running> => {
    const storeClock = new StoreClock({ wall });
    const [port] = await freePorts(1);
    const one = await Running.startOn(
      installation,
      { KURIR_HTTP_PORT: String(port), ...env },
      new AdvancingClock(0, () => storeClock.now()),
      { storeClock },
    );
    running.push(one);
    return one;
  };
  const doctor = async (
    env: Record<string, string> = SAME,
  ): Promise<{ check: string; status: string; detail: string }[]> => {
    const said = (await kurir(installation, ['doctor', '--json'], env).catch((error: unknown) => error)) as {
      stdout: string;
    };
    return (JSON.parse(said.stdout) as { checks: { check: string; status: string; detail: string }[] }).checks;
  };

  it(
    'that agree are not degraded; one with another setting degrades both, by name and values, and doctor says so',
    async () => {
      const one = await start(SAME);
      await start(SAME);
      await pause(6_000);
      expect(await readyz(one)).toMatchObject({ status: 200, degraded: false });
      expect(await doctor()).toContainEqual({ check: 'settings', status: 'ok', detail: 'identical in 2 processes' });
      const odd = await start({ ...SAME, KURIR_EVIDENCE_WAIT: '2d', KURIR_MTA_URL: 'smtp://mta.test:26' });
      for (const seen of [one, odd]) {
        const differs = ({ name }: { name: string }): boolean => name === 'settings';
        // Kafka on a busy machine may be slow at the same time.
        const ready = await until(seen, 'the difference', ({ degraded_by }) => degraded_by.some(differs));
        expect(ready.status).toBe(200);
        const { reason } = ready.degraded_by.find(differs)!;
        expect(reason).toMatch(/KURIR_EVIDENCE_WAIT differs: 2d in \S+ on \S+, process \d+ \| 4d in /);
        expect(reason).toMatch(/KURIR_MTA_URL differs: smtp:\/\/127\.0\.0\.1:1 in .* \| smtp:\/\/mta\.test:26 in /);
        expect(reason).not.toContain('mta-pass');
      }
      const [settings] = (await doctor()).filter(({ check }) => check === 'settings');
      expect(settings).toMatchObject({
        status: 'wrong',
        detail: expect.stringContaining('KURIR_EVIDENCE_WAIT differs') as unknown,
      });
      await running.pop()!.kurir.stop();
      await until(one, 'the end of the difference', ({ degraded }) => !degraded);
    },
    LIMIT,
  );

  it(
    'a clock 7 s off is told; with one 40 s off a process is on standby, names what has no owner, and comes back',
    async () => {
      let ahead = -7 * SECOND;
      const one = await start({}, () => Date.now() + ahead);
      const told = await until(one, 'the warning', ({ degraded }) => degraded);
      expect(told).toMatchObject({ status: 200, degraded_by: [{ name: 'clock' }] });
      expect(told.degraded_by[0]?.reason).toMatch(
        /^the clock of this machine is [567]\.\d s behind MongoDB's: synchronize/,
      );
      await one.untilStatus(await one.send('delivered@x.test'), 'delivered');
      const other = await start({ KURIR_ROLES: WITHOUT_MAIL });
      await until(
        other,
        'all owners',
        ({ status, degraded_by }) => status === 200 && !names(degraded_by).includes('shards'),
      );

      ahead = 40 * SECOND;
      const refused = await until(one, 'not ready', ({ status }) => status === 503);
      expect(names(refused.not_ready)).toEqual(['clock', 'process']);
      expect((await one.api.request('POST', '/messages', {})).body).toEqual(STANDBY);
      const waiting = await other.send('delivered+late@x.test');
      const seen = await until(other, 'what has no owner', ({ degraded_by }) =>
        names(degraded_by).includes('partitions'),
      );
      const reasons = seen.degraded_by.map(({ name, reason }) => `${name}: ${reason}`);
      expect(reasons).toContain(
        `shards: no working process holds any of the 12 shards of workspaces (role throttle): their messages stay queued`,
      );
      expect(reasons.join('\n')).toContain(
        'no working process consumes partitions 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 of messages.dispatch (group dispatch)',
      );
      expect(seen.status).toBe(200);
      expect((await one.stores.messages.get(waiting))?.status).toBe('queued');
      const checks = (await doctor({})).filter(({ status }) => status === 'wrong');
      const details = checks.map(({ check, detail }) => `${check}: ${detail}`).join('\n');
      expect(details).toMatch(/^clocks: .*(39|40)\.\d s ahead of/m);
      expect(details).toMatch(/^readers: .*messages\.dispatch \(group dispatch\)/m);
      expect(details).toMatch(/^shards: 0 of 12 workspace shards are held; no working process holds any/m);

      ahead = 0;
      await until(one, 'ready', ({ status }) => status === 200);
      await one.untilStatus(waiting, 'delivered');
      expect(one.kurir.sandbox!.countByMessage(waiting)).toBe(1);
      await until(other, 'owners', ({ degraded_by }) => names(degraded_by).every((name) => name === 'settings'));
    },
    LIMIT,
  );
});
