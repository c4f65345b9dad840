import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { freePorts } from '../../../proof/crash/free-ports';
import { frozenClock } from '../../support/clock';
import { hasRedisServer, RedisProcess } from '../../support/redis-process';
import { openShared, type SharedLimiter } from '../../support/shared-limiter';
import { until } from '../../contract/helpers';

const LOST =
  /^warn: Redis at r\.example does not respond\. Until it does, each process limits the API rate on its own\. Check/;
const BACK = /^info: Redis at r\.example responds again after \d+ s\. The API rate is shared again\.$/;

const onRedis = hasRedisServer() ? describe : describe.skip;
const title = 'redisRateLimiter';

onRedis(hasRedisServer() ? title : `${title} was not run: there is no redis-server to kill`, () => {
  const clock = frozenClock();
  let redis: RedisProcess;
  const opened: SharedLimiter[] = [];

  const open = async (url = redis.url): Promise<SharedLimiter> => {
    const shared = await openShared({ url, clock, limit: 3 });
    opened.push(shared);
    return shared;
  };
  const administer = async (act: (client: Redis) => Promise<unknown>): Promise<void> => {
    const client = new Redis(redis.url);
    await act(client);
    client.disconnect();
  };
  const untilShared = async ({ limiter }: SharedLimiter): Promise<void> => {
    await until(() => limiter.isShared());
  };
  const untilLost = async ({ logged }: SharedLimiter): Promise<void> => {
    await until(() => logged.some((line) => LOST.test(line)), 5);
  };

  beforeEach(async () => {
    redis = await RedisProcess.start();
  });
  afterEach(async () => {
    for (const { limiter } of opened.splice(0)) limiter.close();
    redis.thaw();
    await redis.kill();
  });

  it('processes count together', async () => {
    const [one, other] = [await open(), await open()];
    expect(await one.limiter.take('a')).toMatchObject({ remaining: 2 });
    clock.advance(1_000);
    expect(await other.limiter.take('a')).toMatchObject({ remaining: 1, resetAt: clock.now() + 59_000 });
    expect(await one.limiter.take('a')).toMatchObject({ remaining: 0 });
    expect(await other.limiter.take('a')).toMatchObject({ exceeded: true });
    expect([...one.logged, ...other.logged]).toEqual([]);
  });

  it('a process whose clock is ahead makes nobody wait longer than a window', async () => {
    const ahead = await openShared({ url: redis.url, clock: frozenClock(clock.now() + 3_600_000), limit: 3 });
    opened.push(ahead);
    const here = await open();
    await ahead.limiter.take('a');
    expect(await here.limiter.take('a')).toMatchObject({ remaining: 1, resetAt: clock.now() + 60_000 });
  });

  it('leaves nothing behind: every key it makes ends within a window', async () => {
    const { limiter } = await open();
    await limiter.take('a');
    await limiter.take('a');
    await administer(async (client) => {
      const keys = await client.keys('*');
      expect(keys).toContain('kurir:rate:a');
      for (const key of keys) {
        const ends = await client.pttl(key);
        expect(ends).toBeGreaterThan(0);
        expect(ends).toBeLessThanOrEqual(60_000);
      }
    });
  });

  it('killed: each process limits by itself, one warning; back: they count together again', async () => {
    const [one, other] = [await open(), await open()];
    await one.limiter.take('a');
    await redis.kill();
    for (const { limiter } of [one, other]) {
      const states = await Promise.all(Array.from({ length: 5 }, () => limiter.take('a')));
      expect(states.map(({ exceeded }) => exceeded)).toEqual([false, false, false, true, true]);
      expect(await limiter.isShared()).toBe(false);
    }
    expect(one.logged).toEqual([expect.stringMatching(LOST)]);

    await redis.start();
    await Promise.all([untilShared(one), untilShared(other)]);
    await one.limiter.take('b');
    expect(await other.limiter.take('b')).toMatchObject({ remaining: 1 });
    expect(one.logged).toEqual([expect.stringMatching(LOST), expect.stringMatching(BACK)]);
  });

  it('killed under load: every request is answered, none is refused', async () => {
    const shared = await open();
    let stopped = false;
    let taken = 0;
    const load = Array.from({ length: 20 }, async (_, caller) => {
      while (!stopped) {
        await shared.limiter.take(`${caller}`);
        taken += 1;
        await nextTurn();
      }
    });
    await until(() => taken >= 200, 5);
    await redis.kill();
    await untilLost(shared);
    const atLoss = taken;
    await until(() => taken >= atLoss + 200, 5);
    await redis.start();
    await untilShared(shared);
    stopped = true;
    await Promise.all(load);
    expect(shared.logged).toEqual([expect.stringMatching(LOST), expect.stringMatching(BACK)]);
  });

  it('frozen: the requests under way are counted alone, later ones do not even ask; thawed: shared again', async () => {
    const shared = await open();
    await shared.limiter.take('a');
    redis.freeze();
    const states = await Promise.all(Array.from({ length: 4 }, () => shared.limiter.take('a')));
    expect(states.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    expect(shared.logged).toEqual([expect.stringMatching(/no answer within 100 ms$/)]);
    for (let n = 0; n < 1_000; n++) expect(await shared.limiter.take(`${n}`)).toMatchObject({ remaining: 2 });

    redis.thaw();
    await untilShared(shared);
    expect((await shared.limiter.take('b')).remaining).toBe(2);
    expect(shared.logged).toHaveLength(2);
  });

  it('flushed, with its scripts: counts begin anew, without a word', async () => {
    const shared = await open();
    for (let n = 0; n < 5; n++) await shared.limiter.take('a');
    await administer(async (client) => {
      await client.flushall();
      await client.script('FLUSH');
    });
    expect(await shared.limiter.take('a')).toMatchObject({ remaining: 2, exceeded: false });
    expect(shared.logged).toEqual([]);
  });

  it('full, or made a replica: as good as gone, and no going to and fro', async () => {
    const shared = await open();
    await administer((client) => client.config('SET', 'maxmemory', '1'));
    expect(await shared.limiter.take('a')).toMatchObject({ remaining: 2 });
    expect(await shared.limiter.take('a')).toMatchObject({ remaining: 1 });
    await pause(2_500);
    expect(shared.logged).toEqual([expect.stringMatching(/OOM/)]);
    expect(inspect(shared.facts, { depth: null, showHidden: true })).not.toContain('kurir:rate:');
    await administer((client) => client.config('SET', 'maxmemory', '0'));
    await untilShared(shared);
    expect(shared.logged).toEqual([expect.stringMatching(LOST), expect.stringMatching(BACK)]);
  });

  it('missing at the start: opens all the same, says so, and finds it once it is there', async () => {
    await redis.kill();
    const shared = await open();
    expect(await shared.limiter.take('a')).toMatchObject({ remaining: 2 });
    expect(shared.logged).toEqual([expect.stringMatching(/ECONNREFUSED/)]);
    await redis.start();
    await untilShared(shared);
    expect(shared.logged).toHaveLength(2);
  });

  it('wants a password that was not given, or another one: says so and limits alone', async () => {
    await redis.kill();
    await redis.start('--requirepass', 'right');
    const [port = ''] = redis.url.split(':').slice(-1);
    const without = await open();
    expect(without.logged).toEqual([expect.stringMatching(/NOAUTH/)]);
    const wrong = await open(`redis://:hunter2@127.0.0.1:${port}`);
    expect(wrong.logged).toEqual([expect.stringMatching(/WRONGPASS/)]);
    expect(inspect(wrong.facts, { depth: null, showHidden: true })).not.toContain('hunter2');
    const right = await open(`redis://:right@127.0.0.1:${port}`);
    expect(await right.limiter.isShared()).toBe(true);
  });

  it('an address where nothing ever was: closes at once', async () => {
    const [port = 0] = await freePorts(1);
    const shared = await open(`redis://127.0.0.1:${port}`);
    shared.limiter.close();
    expect(await shared.limiter.take('a')).toMatchObject({ remaining: 2 });
    expect(await shared.limiter.isShared()).toBe(false);
  });
});
