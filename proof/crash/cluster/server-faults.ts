import Redis from 'ioredis';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { withMongo } from './clients';
import type { Scenario, ScenarioContext } from './scenario';
import type { Servers } from './servers';

const BROKER_DOWN = 20 * SECOND;
const PRIMARY_DOWN = 15 * SECOND;
const PRIMARY_PAUSED = 20 * SECOND;
const MAJORITY_DOWN = 20 * SECOND;
const KAFKA_DOWN = 30 * SECOND;
const REDIS_FLUSHED = 5 * SECOND;
const REDIS_DOWN = 15 * SECOND;
const AFTER = 10 * SECOND;

const needs =
  (kind: string, count: number) =>
  (servers: Servers): string | null =>
    servers.named(kind).length < count ? `it needs the processes of ${count} ${kind} servers (KURIR_SERVICES)` : null;

/** Kills the servers and restarts them after `ms`. */
async function killFor({ servers, progress }: ScenarioContext, names: readonly string[], ms: number): Promise<void> {
  progress(`kill ${names.join(', ')}`);
  for (const name of names) servers.kill(name);
  await sleep(ms);
  await Promise.all(names.map((name) => servers.restart(name)));
  progress(`${names.join(', ')} restarted`);
  await sleep(AFTER);
}

export const killBroker: Scenario = {
  about: 'one of three brokers is killed with SIGKILL and comes back after 20 s',
  unsupportedReason: needs('kafka', 3),
  async run(context) {
    const brokers = context.servers.named('kafka');
    await killFor(context, [context.random.pick(brokers)], BROKER_DOWN);
    return [];
  },
};

/** The process of the primary. */
const primaryOf = ({ installation, servers }: ScenarioContext): Promise<string> =>
  withMongo(installation.env, async (client) => {
    const { primary } = await client.db('admin').command({ hello: 1 });
    return servers.at(Number(String(primary).split(':')[1]));
  });

/** With three members another one is elected meanwhile, and the paused one still believes that it is the primary. */
export const pausePrimary: Scenario = {
  about: 'the MongoDB primary is paused for 20 s (SIGSTOP) and continues',
  unsupportedReason: needs('mongo', 1),
  async run(context) {
    const { servers, progress } = context;
    const primary = await primaryOf(context);
    progress(`pause ${primary}`);
    servers.pause(primary);
    await sleep(PRIMARY_PAUSED);
    servers.resume(primary);
    progress(`${primary} continues`);
    await sleep(AFTER);
    return [];
  },
};

const twoOfThree = (kind: string, about: string): Scenario => ({
  about,
  unsupportedReason: needs(kind, 3),
  async run(context) {
    await killFor(context, context.servers.named(kind).slice(0, 2), MAJORITY_DOWN);
    await sleep(AFTER);
    return [];
  },
});

export const killTwoBrokers = twoOfThree('kafka', 'two of three Kafka brokers are killed and come back after 20 s');
export const killTwoMembers = twoOfThree('mongo', 'two of three MongoDB members are killed and come back after 20 s');

export const killPrimary: Scenario = {
  about: 'the primary of the MongoDB replica set is killed with SIGKILL and comes back after 15 s',
  unsupportedReason: needs('mongo', 3),
  async run(context) {
    await killFor(context, [await primaryOf(context)], PRIMARY_DOWN);
    return [];
  },
};

/** What each try to send a message was answered that began in this time, ms; null: nothing that tells its end. */
function sendsBetween({ outside }: ScenarioContext, from: number, to: number): (number | null)[] {
  const { lines } = outside.recorder;
  const asked = lines.filter(({ f, type, t }) => f === 'send' && type === 'invoke' && t > from && t < to);
  const ended = new Map(
    lines.flatMap(({ f, type, n, value }) => (f === 'send' && type !== 'invoke' ? [[n, value]] : [])),
  );
  return asked.filter(({ n }) => ended.has(n)).map(({ n }) => (ended.get(n) as { status?: number }).status ?? null);
}

export const stopKafka: Scenario = {
  about: 'all of Kafka is killed for 30 s: messages are still accepted, and everything drains afterwards',
  unsupportedReason: needs('kafka', 1),
  async run(context) {
    const brokers = context.servers.named('kafka');
    const began = Date.now();
    await killFor(context, brokers, KAFKA_DOWN);
    const during = sendsBetween(context, began, began + KAFKA_DOWN - SECOND);
    const refused = during.filter((status) => status !== 201);
    context.progress(`${during.length} messages accepted without Kafka`);
    return [
      ...(during.length === 0 ? ['no message was sent while Kafka was down'] : []),
      ...(refused.length > 0
        ? [`${refused.length} of ${during.length} were not answered 201 while Kafka was down`]
        : []),
    ];
  },
};

export const loseRedis: Scenario = {
  about: 'Redis is flushed, and 5 s later killed for 15 s: nothing breaks',
  unsupportedReason: needs('redis', 1),
  async run(context) {
    const redis = new Redis(context.installation.env['REDIS_URL'] ?? '');
    const began = Date.now();
    context.progress('flush Redis');
    await redis.flushall();
    redis.disconnect();
    await sleep(REDIS_FLUSHED);
    await killFor(context, context.servers.named('redis'), REDIS_DOWN);
    const refused = sendsBetween(context, began, Infinity).filter((status) => status !== 201);
    return refused.length > 0 ? [`${refused.length} messages were not answered 201 without Redis`] : [];
  },
};
