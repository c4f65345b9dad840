import { loadavg } from 'node:os';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { openMongo } from '../../../stores/mongodb/database/client';
import { processUsage } from '../../crash/process-usage';
import { SECRET } from '../../crash/seed';
import { withCluster } from '../cluster-stage';
import { fillFolder, fillShop, type Empty, type FilledShop } from '../filled-shop';
import { startHelper, type Helper } from '../helper';
import { inFolder } from '../in-folder';
import { fixed, machine, type Section, whole } from '../report';
import { addressesOf, Reader } from '../screen-reader';
import { startService, type Service } from '../service';
import type { ShopSize } from '../shop-rows';
import { fillShopDatabase } from '../shop-tables';
import { median, percentile } from '../time';
import { timedRound } from '../timed-round';
import { refuseFaults } from './accept';

export const SCREENS_TITLE = 'Screens of the dashboard';

interface Effort {
  size: ShopSize;
  /** How often each screen is requested, at rest and again while mail is sent. */
  reads: number;
  rounds: number;
  mails: number;
}
const FULL: Effort = {
  size: { messages: 1_000_000, contacts: 100_000, campaigns: 10_000 },
  reads: 20,
  rounds: 3,
  mails: 6_000,
};
const QUICK: Effort = {
  size: { messages: 20_000, contacts: 2_000, campaigns: 200 },
  reads: 3,
  rounds: 1,
  mails: 1_000,
};

/** Mails a second while screens are timed. */
const SENDING = 100;
/** Screens a second while the rate of sending is measured. */
const BROWSING = 5;
const CONNECTIONS = 20;
const LIMIT = 300_000;
/** Rows of the table; the others are quicker. */
const SLOWEST = 25;

type Env = Readonly<Record<string, string | undefined>>;

/** How long every screen takes over a large workspace, and what that takes from the sending rate. */
export async function screenTimes(quick: boolean, env: Env): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const load = fixed(loadavg()[0] ?? NaN, 1);
  const found = [await onEmbedded(effort)];
  if (env['MONGODB_URL']) found.push(await onCluster(effort, env));
  return section(effort.size, found, load);
}

interface Timed {
  name: string;
  rest: number[];
  sending: number[];
  /** Processor time of the service for one request at rest, ms. */
  cpu: number;
  script: number | null;
}
interface Found {
  engine: string;
  screens: Timed[];
  /** Sending rate with somebody reading, to that without. */
  ratio: number;
}

interface Stage extends FilledShop {
  service: Service;
  sink: Helper<'sink'>;
  load: Helper<'load'>;
}

async function onEmbedded(effort: Effort): Promise<Found> {
  return inFolder(async (dataDir) => {
    const { secret, ...filled } = await fillFolder(dataDir, effort.size);
    const sink = startHelper('sink');
    const load = startHelper('load');
    const mtaPort = await sink.call('listen', undefined);
    const settings = { KURIR_DATA_DIR: dataDir, KURIR_SECRET: secret };
    const service = await startService({ folder: dataDir, env: settings, mtaPort, connections: CONNECTIONS });
    try {
      return await measure('embedded', { service, ...filled, sink, load }, effort);
    } finally {
      await service.stop();
      for (const helper of [sink, load]) helper.stop();
    }
  });
}

async function onCluster(effort: Effort, env: Env): Promise<Found> {
  return withCluster(env, 1, async (cluster) => {
    const { installation, sink, load } = cluster;
    const [sender] = cluster.takeSenders(1);
    const { MONGODB_URL: url = '', MONGODB_DATABASE: database = '' } = installation.env;
    const empty: Empty = {
      sender: sender!,
      open: async (use) => {
        const clock = new AdvancingClock();
        const engine = await installation.open(clock);
        await use({ stores: engine.stores, clock, secret: SECRET });
        await engine.close();
      },
      writeMails: async (shop) => {
        const mongo = await openMongo({ url, database, answerMS: LIMIT });
        await fillShopDatabase(mongo, shop);
        await mongo.close();
      },
    };
    const filled = await fillShop(empty, effort.size);
    const service = await cluster.start(null, CONNECTIONS);
    return measure('MongoDB', { service, ...filled, sink, load }, effort);
  });
}

async function measure(engine: string, stage: Stage, effort: Effort): Promise<Found> {
  const { service, furnished, message } = stage;
  const addresses = addressesOf(furnished, message);
  const reader = new Reader(service.port, furnished.session);
  const screens: Timed[] = [];
  for (const address of addresses) {
    const script = await reader.scriptBytes(address);
    screens.push({ name: address.name, rest: [], sending: [], cpu: NaN, script });
  }
  // One after the other, so that the processor time of each is known.
  for (const [place, address] of addresses.entries()) {
    const { rest } = screens[place]!;
    const before = processUsage(service.pid)?.cpuSeconds ?? NaN;
    for (let n = 0; n < effort.reads; n += 1) rest.push(await reader.time(address));
    screens[place]!.cpu = (((processUsage(service.pid)?.cpuSeconds ?? NaN) - before) * 1_000) / effort.reads;
  }
  await whileSending(stage, async () => {
    for (let n = 0; n < effort.reads; n += 1) {
      for (const [place, address] of addresses.entries()) screens[place]!.sending.push(await reader.time(address));
    }
  });
  for (const { name, rest, sending, cpu, script } of screens) {
    const ms = [rest, sending].flatMap((times) => [median(times), percentile(times, 0.95)]);
    const cells = [...ms, cpu].map((one) => fixed(one, 1).padStart(8)).join('');
    console.error(`${engine} ${name.padEnd(40)} ${cells} ${script ?? '-'}`);
  }
  return {
    engine,
    screens,
    ratio: await takenFromSending(stage, (over) => reader.browse(addresses, BROWSING, over), effort),
  };
}

/** Mail is posted and sent at an even pace as long as `play` takes. */
async function whileSending({ service, sender, load }: Stage, play: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const posting = (async () => {
    while (!ended.signal.aborted) {
      const steady = { port: service.port, senders: [sender], rate: SENDING, seconds: 2 };
      const { refused } = await load.call('steady', steady);
      if (refused > 0) throw new Error(`${refused} mails were refused.`);
    }
  })();
  await play().finally(() => ended.abort());
  await posting;
}

/** Rounds of sending as fast as it goes, in turns with and without somebody reading. */
async function takenFromSending(
  stage: Stage,
  browse: (over: AbortSignal) => Promise<unknown>,
  { rounds, mails }: Effort,
): Promise<number> {
  const ratios: number[] = [];
  await rateOf(stage, mails);
  for (let n = 0; n < rounds; n += 1) {
    const without = await rateOf(stage, mails);
    const ended = new AbortController();
    const reading = browse(ended.signal);
    const beside = await rateOf(stage, mails);
    ended.abort();
    await reading;
    console.error(`${whole(beside)} mails a second beside ${BROWSING} screens, ${whole(without)} without`);
    ratios.push(beside / without);
  }
  return median(ratios);
}

async function rateOf({ service, sender, sink, load }: Stage, mails: number): Promise<number> {
  const { port, pid } = service;
  const send = async (): Promise<number> => {
    const until = { requests: mails };
    const result = await load.call('load', { port, senders: [sender], connections: 64, until });
    refuseFaults([result]);
    return result.startedAt;
  };
  const { rate } = await timedRound({ sink, pid, mails, send, limit: LIMIT });
  return rate;
}

function section({ messages, contacts, campaigns }: ShopSize, found: readonly Found[], load: string): Section {
  const names = found[0]!.screens.map(({ name }) => name);
  const p95 = (name: string): number =>
    Math.max(...found.flatMap(({ screens }) => screens.filter((one) => one.name === name).map(worst)));
  const worst = ({ sending }: Timed): number => percentile(sending, 0.95);
  const slowest = names.toSorted((a, b) => p95(b) - p95(a)).slice(0, SLOWEST);
  const script = Math.max(...found[0]!.screens.map((one) => one.script ?? 0));
  const ratios = found.map(({ engine, ratio }) => `${engine} ${fixed(ratio, 2)}`).join(', ');
  const cells = (name: string): string[] =>
    found.flatMap(({ screens }) => {
      const { rest, sending, cpu } = screens.find((one) => one.name === name)!;
      return [median(rest), percentile(rest, 0.95), percentile(sending, 0.95), cpu].map((ms) => fixed(ms, 1));
    });
  return {
    title: SCREENS_TITLE,
    about:
      `\`npm run bench -- screens\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${load}. Every screen by HTTP in a session, over a ` +
      `workspace with ${whole(messages)} messages of 90 days, ${whole(contacts)} contacts and ${whole(campaigns)} campaigns, of which the largest has ` +
      `a fifth of their mails; at rest, and while ${SENDING} mails a second are accepted and sent. The ${slowest.length} slowest of ${names.length} are shown. ` +
      `Sending rate while ${BROWSING} screens a second are read, to that without: ${ratios}. Script of a screen: at most ${fixed(script / 1_024, 1)} kB.`,
    head: ['screen', ...found.flatMap(({ engine }) => [`${engine} p50 ms`, 'p95', 'p95 sending', 'CPU ms'])],
    rows: slowest.map((name) => [name, ...cells(name)]),
  };
}
