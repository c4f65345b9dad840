import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FirstRun } from '../../operations/installation/first-run';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { openMongo } from '../../stores/mongodb/database/client';
import { SCHEMA_VERSION } from '../../stores/mongodb/database/collections';
import { documents } from '../../stores/mongodb/database/documents';
import { buildBase, type BaseRelease } from '../support/base-release';
import { describeOnEngines } from '../support/engines';
import { limitFor } from '../support/limits';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Caller, testEnv } from '../support/running';
import { kurir, PROGRAM_DIR, readDemo, runToEnd, Service } from '../support/service';
import { until } from '../contract/helpers';

const LIMIT = limitFor(2);
/** A second process of a cluster needs no sandbox of its own, and so hands nothing over. */
const SECOND = { KURIR_ROLES: 'api,public,throttle,coins,mta-feedback,timers', KURIR_UPGRADE_WAIT: '2s' };

let base: BaseRelease;
beforeAll(() => {
  base = buildBase();
}, LIMIT);
afterAll(() => {
  if (process.env['KURIR_UPGRADE_BASE'] !== base.dist) rmSync(dirname(dirname(base.dist)), { recursive: true });
});

interface Check {
  ok: boolean;
  code: number;
  schema: { data: number; program: number; changes: boolean };
  processes: { must_end_first: boolean }[];
}

describeOnEngines('an upgrade from an earlier release, under load', (install) => {
  let installation: Installation;
  const running: Service[] = [];
  let load: Load | null = null;
  beforeEach(() => {
    installation = install();
  });
  afterEach(async () => {
    load?.pause();
    await load?.stop();
    await Promise.all(running.splice(0).map((service) => service.kill()));
    await installation.remove();
  });

  const start = async (dist: string, env: Record<string, string> = {}): Promise<Service> => {
    const service = await Service.start(installation, env, [], dist, dist);
    running.push(service);
    return service;
  };
  const check = async (): Promise<Check> => {
    const asked = (await kurir(installation, ['upgrade', 'check', '--json']).catch((error: unknown) => error)) as {
      stdout: string;
      code?: number;
    };
    return { ...(JSON.parse(asked.stdout) as Check), code: asked.code ?? 0 };
  };
  const end = async (...services: Service[]): Promise<void> => {
    expect(await Promise.all(services.map((service) => service.terminate()))).toEqual(
      services.map(() => ({ code: 0, signal: null })),
    );
  };

  /** A release with the same schema: one process after the other. Returns the new ones. */
  async function replace(traffic: Load, older: Service[]): Promise<Service[]> {
    expect(await check()).toMatchObject({ ok: true, code: 0, schema: { data: base.schema[installation.engine] } });
    const [first, second] = older;
    if (second) traffic.to(second);
    else traffic.pause();
    await end(first!);
    const newer = [await start(PROGRAM_DIR)];
    if (second) {
      // A process of each release.
      await traffic.until(traffic.accepted.length + 20);
      traffic.to(newer[0]!);
      await end(second);
      newer.push(await start(PROGRAM_DIR, SECOND));
    }
    return newer;
  }

  /** A release with a new schema: it is refused while the older one lives. */
  async function stopAndStart(traffic: Load, older: Service[]): Promise<Service[]> {
    const blocked = { ok: false, code: 1, processes: older.map(() => ({ must_end_first: true })) };
    expect(await check()).toMatchObject(blocked);
    const asked = kurir(installation, ['workspace', 'list']);
    await expect(asked).rejects.toMatchObject({ stderr: expect.stringContaining('schema version') as unknown });
    const refused = await runToEnd({ ...testEnv(installation), ...(installation.engine === 'cluster' ? SECOND : {}) });
    expect(refused).toMatchObject({ code: 1, printed: expect.stringMatching(/process|in use/) as unknown });
    await traffic.until(traffic.accepted.length + 20);
    traffic.pause();
    await end(...older);
    expect(await check()).toMatchObject({ ok: true, code: 0, processes: [] });
    const newer = [await start(PROGRAM_DIR)];
    const back = Service.launch(installation, {}, [], base.dist, base.dist);
    running.push(back);
    expect((await back.ended).code).toBe(1);
    return newer;
  }

  it(
    'loses nothing and doubles nothing, and the books are right',
    async () => {
      const older = [await start(base.dist)];
      const demo = await readDemo(older[0]!, installation, join(base.dist, 'kurir.js'));
      if (installation.engine === 'cluster') older.push(await start(base.dist, SECOND));
      load = new Load(demo);
      load.to(older[0]!);
      await load.until(20);

      const { changes } = (await check()).schema;
      const newer = await (changes ? stopAndStart(load, older) : replace(load, older));
      load.to(newer[0]!);
      await load.until(load.accepted.length + 20);
      await load.stop();
      expect(await check()).toMatchObject({ ok: true, schema: { changes: false } });

      const api = new Caller(newer[0]!.baseUrl, demo.api_key);
      for (const id of load.accepted) {
        await until(async () => (await api.get(`/messages/${id}`)).body.status === 'delivered', 100);
      }
      await end(...newer);
      const { stdout } = await kurir(installation, ['audit']);
      expect(stdout).toContain('No differences found');
    },
    LIMIT,
  );
});

describeOnCluster('a process that was frozen while a newer release changed the schema', (urls) => {
  it(
    'writes nothing when it wakes, says why, and ends',
    async () => {
      const installation = clusterInstallation(urls, uniqueName());
      const service = await Service.start(installation, {});
      const mongo = await openMongo({ url: urls.mongodb, database: installation.env['MONGODB_DATABASE'] ?? '' });
      try {
        const demo = await readDemo(service, installation);
        const api = new Caller(service.baseUrl, demo.api_key);
        const before = await api.send('delivered@pelanggan.test', demo.sending_domain_id);
        service.freeze();
        const asked = api.send('delivered+late@pelanggan.test', demo.sending_domain_id);
        const answer = expect(asked).rejects.toThrow(/fetch failed|answered 5\d\d/);
        // Its lease runs out, and a newer release begins its step.
        const leases = documents(mongo.db, 'leases');
        await until(async () => !(await leases.findOne({ _id: /^process/, expiresAt: { $gt: Date.now() } })), 100);
        const newer = { $set: { version: SCHEMA_VERSION + 1, writers: SCHEMA_VERSION + 1 } };
        await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, newer);
        service.thaw();
        expect((await service.ended).code).toBe(1);
        await answer;
        expect(service.printed).toContain('a newer release has changed the schema of the data');
        const stored = await documents(mongo.db, 'messages')
          .find({}, { projection: { _id: 1 } })
          .toArray();
        expect(stored.map(({ _id }) => _id)).toEqual([before]);
      } finally {
        await service.kill();
        await mongo.close();
        await installation.remove();
      }
    },
    LIMIT,
  );
});

/** Sends one mail after the other, to the service that it is told to. */
class Load {
  readonly accepted: string[] = [];
  private target: Caller | null = null;
  private stopped = false;
  private readonly sending: Promise<void>;

  constructor(private readonly demo: FirstRun) {
    this.sending = this.run();
  }

  to({ baseUrl }: Service): void {
    this.target = new Caller(baseUrl, this.demo.api_key);
  }

  pause(): void {
    this.target = null;
  }

  /** Waits for so many accepted mails. */
  async until(count: number): Promise<void> {
    await until(() => this.accepted.length >= count);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.sending;
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      const id = await this.target
        ?.send(`delivered+${n}@pelanggan.test`, this.demo.sending_domain_id)
        // A request that the end of the older service cut off was not accepted.
        .catch(() => undefined);
      if (id !== undefined) this.accepted.push(id);
      else await pause(20);
    }
  }
}
