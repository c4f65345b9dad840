import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Scenario, ScenarioContext } from './scenario';
import type { Servers } from './servers';
import { TcpProxy } from './tcp-proxy';

const EACH_WAY = 100;
const SLOW_FOR = 40 * SECOND;
const HOLE_FOR = 25 * SECOND;
const AFTER = 15 * SECOND;

/** With more members, the driver would find its way past the proxy. */
const oneMember = (servers: Servers): string | null =>
  servers.named('mongo').length > 1 ? 'its proxy stands before a replica set of one member' : null;

/** A scenario whose processes reach MongoDB through a proxy. */
function throughProxy(about: string, play: (proxy: TcpProxy, context: ScenarioContext) => Promise<void>): Scenario {
  let proxy: TcpProxy | null = null;
  return {
    about,
    unsupportedReason: oneMember,
    setUp: async ({ env }) => {
      const url = env['MONGODB_URL'] ?? '';
      proxy = await TcpProxy.open(url.replace(/^\w+:\/\//, '').split(/[,/?]/)[0] ?? '');
      return { MONGODB_URL: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` };
    },
    run: async (context) => {
      if (!proxy) return ['there is no proxy'];
      await play(proxy, context);
      await sleep(AFTER);
      return [];
    },
    tearDown: async () => proxy?.close(),
  };
}

export const slowStore = throughProxy(
  'every byte to MongoDB and back takes 100 ms each way, for 40 s',
  async (proxy, { progress }) => {
    progress('MongoDB is 200 ms away');
    proxy.slowBy(EACH_WAY);
    await sleep(SLOW_FOR);
    proxy.slowBy(0);
    progress('MongoDB is near again');
  },
);

export const blackHole = throughProxy(
  'every byte to MongoDB and back is swallowed for 25 s while the connections stay open',
  async (proxy, { progress }) => {
    progress('MongoDB is behind a black hole');
    proxy.swallow(true);
    await sleep(HOLE_FOR);
    proxy.swallow(false);
    progress('the black hole is gone');
  },
);
