import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { deleteTopics } from '../support/delete-topics';
import { limitFor } from '../support/limits';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Caller, temporaryDir, testEnv } from '../support/running';
import { kurir, readDemo, runToEnd, Service } from '../support/service';
import { until } from '../contract/helpers';

const LIMIT = limitFor(2);

describeOnCluster('two installations on one topic prefix', (urls) => {
  let production: Installation;
  let staging: Installation;
  let admin: Admin;
  const running: Service[] = [];

  beforeAll(async () => {
    admin = new Kafka({ brokers: urls.kafka.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
  });
  afterAll(() => admin.disconnect());
  beforeEach(() => {
    production = clusterInstallation(urls, uniqueName());
    staging = clusterInstallation(urls, uniqueName());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.kill()));
    await Promise.all([production.remove(), staging.remove()]);
  });

  const prefix = (): string => production.env['KURIR_KAFKA_PREFIX'] ?? '';
  /** Staging, with the prefix of production by mistake. */
  const mistaken = (): Record<string, string> => ({ ...testEnv(staging), KURIR_KAFKA_PREFIX: prefix() });
  const start = async (on = production): Promise<Service> => {
    const service = await Service.start(on, {});
    running.push(service);
    return service;
  };
  const refusal = (): unknown =>
    expect.stringMatching(
      new RegExp(
        `^The topics with the prefix ${prefix()} \\(KURIR_KAFKA_PREFIX\\) belong to another installation: they were made for the database ` +
          `"${production.env['MONGODB_DATABASE']}", and this is "${staging.env['MONGODB_DATABASE']}" \\(MONGODB_DATABASE\\)\\.[^\\n]*\\n$`,
      ),
    );

  it(
    'the second refuses to start, in one line that says what to set; the commands beside it refuse too',
    async () => {
      const service = await start();
      expect(await runToEnd(mistaken())).toEqual({ code: 1, printed: refusal() });
      const asked = await kurir(staging, ['doctor'], mistaken()).catch((error: unknown) => error);
      expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('KURIR_KAFKA_PREFIX') as unknown });
      for (const verb of ['list', 'create']) {
        const wrong = await kurir(staging, ['topics', verb], mistaken()).catch((error: unknown) => error);
        expect(wrong).toMatchObject({ code: 1 });
        expect(Object.values(wrong as { stdout: string; stderr: string }).join()).toContain('another installation');
      }
      // Production is not disturbed, and its own commands work.
      const { stdout } = await kurir(production, ['topics', 'list']);
      expect(stdout).toContain(`The topics belong to the installation `);
      expect(stdout).toContain(`database ${production.env['MONGODB_DATABASE']}.`);
      expect((await service.terminate()).code).toBe(0);
      // With a prefix of its own it starts.
      expect((await (await start(staging)).terminate()).code).toBe(0);
    },
    LIMIT,
  );

  it(
    'a second prefix on the database of the first is refused, until the installation has moved',
    async () => {
      const service = await start();
      const demo = await readDemo(service, production);
      const to = `${uniqueName()}.`;
      // On another machine, so with a folder of its own.
      const dataDir = temporaryDir();
      const other = { ...testEnv(production), KURIR_KAFKA_PREFIX: to, KURIR_DATA_DIR: dataDir };
      const bound = expect.stringContaining(`belongs to the topics with the prefix ${prefix()}`);
      expect(await runToEnd(other)).toEqual({ code: 1, printed: bound });
      const run = async (...verb: string[]): Promise<{ code: number; text: string }> =>
        kurir(production, ['topics', ...verb], other).then(
          ({ stdout }) => ({ code: 0, text: stdout }),
          ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
            code,
            text: stdout + stderr,
          }),
        );
      expect(await run('list')).toEqual({ code: 1, text: bound });
      expect(await run('create')).toEqual({ code: 1, text: bound });
      expect((await admin.listTopics()).filter((name) => name.startsWith(to))).toEqual([]);
      expect(await run('move')).toEqual({
        code: 1,
        text: expect.stringContaining('These processes are running on the database'),
      });

      const api = new Caller(service.baseUrl, demo.api_key);
      const delivered = async (on: Caller, id: string): Promise<void> => {
        await until(async () => (await on.get(`/messages/${id}`)).body.status === 'delivered', 100);
      };
      await delivered(api, await api.send('delivered@example.test', demo.sending_domain_id));
      await service.terminate();
      // The last records may have been written by the last work before the stop.
      const moved = await untilRead(run);
      expect(moved).toEqual({
        code: 0,
        text: expect.stringContaining(`with the prefix ${prefix()} to those with ${to}`),
      });
      expect(await run('move')).toEqual({ code: 0, text: expect.stringContaining('Nothing to move') });
      expect(await runToEnd(testEnv(production))).toMatchObject({ code: 1 });

      const again = await Service.start(production, { KURIR_KAFKA_PREFIX: to });
      running.push(again);
      const after = new Caller(again.baseUrl, demo.api_key);
      await delivered(after, await after.send('delivered@example.test', demo.sending_domain_id));
      await again.terminate();
      const { stdout } = await kurir(production, ['audit'], other);
      expect(stdout).toContain('No differences found');
      rmSync(dataDir, { recursive: true, force: true });
      await deleteTopics(
        admin,
        (await admin.listTopics()).filter((name) => name.startsWith(to)),
      );
    },
    LIMIT,
  );

  /** Reads what the old topics still hold, with the old prefix, until the installation may move. */
  async function untilRead(run: (verb: string) => Promise<{ code: number; text: string }>) {
    for (;;) {
      const moved = await run('move');
      if (!moved.text.includes('are unread')) return moved;
      const service = await start();
      await pause(3_000);
      await service.terminate();
    }
  }

  it(
    'of two first starts at the same moment one wins, and the other refuses',
    async () => {
      const [one, other] = [Service.launch(production, {}), Service.launch(staging, { KURIR_KAFKA_PREFIX: prefix() })];
      running.push(one, other);
      const started = (service: Service): Promise<boolean> =>
        service.untilPrinted('kurir is running').then(
          () => true,
          () => false,
        );
      expect((await Promise.all([one, other].map(started))).sort()).toEqual([false, true]);
      expect(`${one.printed}${other.printed}`).toContain('belong to another installation');
    },
    LIMIT,
  );

  it(
    'topics that were deleted are made and marked again by the next start of their installation, and nothing is lost',
    async () => {
      const first = await start();
      const demo = await readDemo(first, production);
      await first.terminate();
      const ours = (await admin.listTopics()).filter((name) => name.startsWith(prefix()));
      expect(ours).toContain(`${prefix()}installation`);
      await deleteTopics(admin, ours);
      const second = await start();
      const api = new Caller(second.baseUrl, demo.api_key);
      const id = await api.send('delivered@example.test', demo.sending_domain_id);
      await until(async () => (await api.get(`/messages/${id}`)).body.status === 'delivered', 100);
      expect(await runToEnd(mistaken())).toEqual({ code: 1, printed: refusal() });
    },
    LIMIT,
  );
});
