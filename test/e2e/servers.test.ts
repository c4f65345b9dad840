import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import type { FirstRun } from '../../operations/installation/first-run';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { Gate } from '../support/gate';
import { deleteTopics } from '../support/delete-topics';
import { limitFor } from '../support/limits';
import { describeOnCluster, uniqueName } from '../support/real-services';
import { Caller, testEnv } from '../support/running';
import { kurir, readDemo, runToEnd, Service } from '../support/service';
import { until } from '../contract/helpers';

const LIMIT = limitFor(2);
const [WARN, ERROR] = [40, 50];

const firstHost = (url: string): string => url.replace(/^\w+:\/\//, '').split(/[,/?]/)[0] ?? '';

describeOnCluster('the servers of a process', (urls) => {
  let installation: Installation;
  let service: Service;
  let demo: FirstRun;
  let gates: { mongo: Gate; kafka: Gate; redis: Gate };
  const ways: Record<string, string> = {};
  beforeAll(async () => {
    installation = clusterInstallation(urls, uniqueName());
    const [mongo, kafka, redis] = [
      await Gate.at(firstHost(urls.mongodb)),
      await Gate.at(firstHost(urls.kafka)),
      await Gate.at(firstHost(urls.redis)),
    ];
    gates = { mongo, kafka, redis };
    // Asked directly, so that nothing goes round the gate.
    ways.MONGODB_URL = `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`;
    ways.KAFKA_BROKERS = `127.0.0.1:${kafka.port}`;
    ways.REDIS_URL = `redis://:pass-of-redis@127.0.0.1:${redis.port}`;
  });
  afterAll(async () => {
    await service.terminate();
    for (const gate of Object.values(gates)) await gate.shut();
    await installation.remove();
  });

  const readyz = async (of: Service): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(of.baseUrl.replace(/v1$/, 'readyz'));
    return { status: answer.status, body: await answer.json() };
  };
  const lines = (pattern: RegExp, from = 0): string[] =>
    service.logged
      .slice(from)
      .filter(({ msg }) => pattern.test(msg))
      .map(({ msg }) => msg);
  const mongoLine = (): string => `MongoDB at 127.0.0.1:${gates.mongo.port} (MONGODB_URL)`;

  it(
    'that are not there at the start are waited for, with a line for each: which, where, and what to do',
    async () => {
      service = Service.launch(installation, ways);
      await service.untilPrinted(`${mongoLine()} cannot be reached: `);
      await gates.mongo.open();
      await service.untilPrinted(`Kafka at ${ways.KAFKA_BROKERS} (KAFKA_BROKERS) cannot be reached: `);
      await gates.kafka.open();
      await service.untilPrinted('kurir is running');
      expect(service.printed).toMatch(
        /Check that it is running and reachable from this machine; trying again in 1 s\./,
      );
      demo = await readDemo(service, installation);
    },
    LIMIT,
  );

  it(
    'Redis may be missing: one line, ready all the same, and degraded until it is there',
    async () => {
      const away = `Redis at 127.0.0.1:${gates.redis.port} (REDIS_URL) does not respond`;
      expect(lines(/^Redis/)).toEqual([expect.stringContaining(away)]);
      expect(await readyz(service)).toMatchObject({
        status: 200,
        body: {
          ready: true,
          degraded: true,
          degraded_by: [{ name: 'redis', reason: expect.stringContaining(away) as unknown }],
        },
      });
      // That one wants no password, and says so.
      await gates.redis.open();
      expect(service.printed).not.toContain('pass-of-redis');
    },
    LIMIT,
  );

  it.each(['frozen', 'gone'])(
    'MongoDB %s for some seconds under mail: one line when it goes and one when it is back; every mail that was accepted is delivered',
    async (how) => {
      const api = new Caller(demo.base_url, demo.api_key);
      const send = (n: number): Promise<string> => api.send(`delivered+${n}@example.test`, demo.sending_domain_id);
      const untilDelivered = async (ids: readonly string[]): Promise<void> => {
        for (const id of ids)
          await until(async () => (await api.get(`/messages/${id}`)).body.status === 'delivered', 100);
      };
      // Before: a hand-off that meets the outage at its fence is tried again a minute later.
      await untilDelivered(await Promise.all(Array.from({ length: 5 }, (_, n) => send(n))));
      const from = service.logged.length;
      const said = (): string[] => lines(/^MongoDB /, from);
      await (how === 'frozen' ? gates.mongo.freeze() : gates.mongo.shut());
      const during = Promise.allSettled([send(100), send(101)]);
      await until(() => said().length !== 0, 50);
      expect((await readyz(service)).status).toBe(503);
      await (how === 'frozen' ? gates.mongo.thaw() : gates.mongo.open());
      await until(() => said().length !== 1, 50);
      const accepted = (await during).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      await untilDelivered(accepted);
      const gone = `${mongoLine()} does not respond. `;
      const back = /responds again after \d+ s\.$/;
      expect(said()).toEqual([expect.stringContaining(gone), expect.stringMatching(back)]);
      expect(service.logged.filter(({ level }) => level >= ERROR)).toEqual([]);
      expect(service.printed).not.toContain('trying again"');
    },
    LIMIT,
  );

  it(
    'a process without the api needs no Redis and says nothing of it',
    async () => {
      const coins = await Service.start(installation, { ...ways, REDIS_URL: 'redis://127.0.0.1:1' }, [
        '--roles',
        'coins',
      ]);
      expect(await readyz(coins)).toEqual({
        status: 200,
        body: { ready: true, degraded: false, not_ready: [], degraded_by: [] },
      });
      expect(coins.logged.filter(({ level }) => level >= WARN)).toEqual([]);
      expect((await coins.terminate()).code).toBe(0);
    },
    LIMIT,
  );
});

describeOnCluster('an installation on servers that were used before', (urls) => {
  let installation: Installation;
  beforeAll(() => {
    installation = clusterInstallation(urls, uniqueName());
  });
  afterAll(() => installation.remove());
  const prefix = (): string => installation.env['KURIR_KAFKA_PREFIX'] ?? '';
  const run = async (...argv: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await kurir(installation, [...argv, '--json'])).stdout) as Record<string, unknown>;
  const refusal = async (...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    kurir(installation, argv).then(
      () => Promise.reject(new Error('it was not refused')),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );

  it(
    'kurir topics and kurir indexes name what is missing, make it, and find it; kurir doctor and kurir demo do their work',
    async () => {
      const topics = async (): Promise<void> => {
        const missing = await refusal('topics', 'list');
        expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('does not exist') as unknown });
        expect((await run('topics', 'create')).created).toContain(`${prefix()}messages.accepted`);
        expect(await run('topics', 'list')).toMatchObject({ ok: true });
      };
      const indexes = async (): Promise<void> => {
        const missing = await refusal('indexes', 'list');
        expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('missing') as unknown });
        expect(((await run('indexes', 'create')).created as unknown[]).length).toBeGreaterThan(10);
        expect(await run('indexes', 'list')).toMatchObject({ ok: true });
      };
      await Promise.all([topics(), indexes()]);
      const { stdout } = await kurir(installation, ['demo'], { KURIR_HTTP_PORT: '8080' });
      expect(stdout).toContain('http://127.0.0.1:8080/v1');
      expect(await run('doctor')).toMatchObject({ ok: true });
    },
    LIMIT,
  );

  it(
    'a topic that differs is refused in one line, by a start and by kurir topics create',
    async () => {
      const topic = `${prefix()}coins.entries`;
      const admin = new Kafka({ brokers: urls.kafka.split(','), logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      await deleteTopics(admin, [topic]);
      await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 4 }] });
      const line = new RegExp(`^(Error: )?Topic ${topic} has 4 partitions, but should have 12\\..*\\n`);
      const start = await runToEnd(testEnv(installation));
      expect(start).toMatchObject({ code: 1, printed: expect.stringMatching(line) as unknown });
      expect(start.printed).not.toContain('    at ');
      const create = await refusal('topics', 'create');
      expect(create).toMatchObject({ code: 1, stderr: expect.stringMatching(line) as unknown });
      expect(create.stderr).not.toContain('    at ');
      await admin.disconnect();
    },
    LIMIT,
  );
});
