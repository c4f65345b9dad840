import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterInstallation } from '../../crash/cluster-installation';
import type { Installation } from '../../crash/installation';
import { deleteTopics } from '../support/delete-topics';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Caller, testEnv } from '../support/running';
import { kurir, readDemo, runToEnd, Service } from '../support/service';

const PATIENCE = 240_000;

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
      // Production is not disturbed, and its own commands work.
      const { stdout } = await kurir(production, ['topics', 'list']);
      expect(stdout).toContain(`The topics belong to the installation `);
      expect(stdout).toContain(`database ${production.env['MONGODB_DATABASE']}.`);
      expect(await service.terminate()).toBe(0);
      // With a prefix of its own it starts.
      expect(await (await start(staging)).terminate()).toBe(0);
    },
    PATIENCE,
  );

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
    PATIENCE,
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
      while ((await api.get(`/messages/${id}`)).body.status !== 'delivered') await pause(100);
      expect(await runToEnd(mistaken())).toEqual({ code: 1, printed: refusal() });
    },
    PATIENCE,
  );
});
