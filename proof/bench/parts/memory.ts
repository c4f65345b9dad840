import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import type { Sender } from '../message-request';
import { postLarge, type PostCount } from '../post-large';
import { processUsage } from '../../crash/process-usage';
import { machine, type Section, whole } from '../report';
import { seed } from '../seed';
import { type Service, startService } from '../service';
import { SlowSink } from '../slow-sink';
import { monotonic } from '../time';

export const MEMORY_TITLE = 'Memory with large mails';

interface Size {
  /** Mails before the slow server. */
  mails: number;
  /** Requests at once. */
  burst: number;
  attachmentBytes: number;
}

const FULL: Size = { mails: 110, burst: 60, attachmentBytes: 10 * 1024 * 1024 };
const QUICK: Size = { mails: 24, burst: 12, attachmentBytes: 10 * 1024 * 1024 };
const CONNECTIONS = 20;
/** What the slow server reads over each connection, bytes per second. */
const PACE = 4_000_000;
/** Mails that have not all arrived after this time are lost, ms. */
const LIMIT = 600_000;

interface Stage {
  size: Size;
  sink: SlowSink;
  sender: Sender;
  /** base64 */
  content: string;
  start(): Promise<Service>;
}

interface Found {
  peak: number;
  posts: PostCount | null;
  atOnce: number;
}

type Scenario = (stage: Stage) => Promise<Found>;

/**
 * Peak memory of the service with large mails: before a slow server, after a kill with them, and for a burst of
 * requests.
 */
export async function largeMailMemory(quick: boolean): Promise<Section> {
  const size = quick ? QUICK : FULL;
  const scenarios: [string, Scenario][] = [
    [`a: ${size.mails} mails before a slow server`, beforeSlowServer],
    ['b: kill -9 with these, and start again', afterKill],
    [`c: ${size.burst} requests at once`, burst],
  ];
  const rows: string[][] = [];
  for (const [name, play] of scenarios) {
    const { peak, posts, atOnce } = await withStage(size, play);
    rows.push([name, whole(peak), posts ? whole(posts.busy) : 'n/a', whole(atOnce)]);
  }
  return {
    title: MEMORY_TITLE,
    about:
      `\`npm run bench -- memory\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Peak resident memory of the embedded service ` +
      `with the default settings and mails with ${whole(size.attachmentBytes / 1_048_576)} MiB of attachments each, until every one of them ` +
      `arrived once at a server that reads ${whole(PACE / 1e6)} MB a second over each of ${CONNECTIONS} connections. A request that is ` +
      'answered 503 is sent again after its Retry-After.',
    head: ['scenario', 'peak MB', 'answers 503', 'most mails on the wire'],
    rows,
  };
}

/** The server starts to read once all of them are accepted. */
async function beforeSlowServer(stage: Stage): Promise<Found> {
  const { size, sink } = stage;
  const service = await stage.start();
  const posts = await postLarge({ port: service.port, ...stage }, stage.content, { count: size.mails, atOnce: 4 });
  sink.pace = PACE;
  await untilArrived(sink, size.mails);
  return { peak: peakOf(service), posts, atOnce: sink.count().mostAtOnce };
}

/** The server takes no mail until the process was killed: all of them are in hand or claimed by then. */
async function afterKill(stage: Stage): Promise<Found> {
  const { size, sink } = stage;
  const first = await stage.start();
  await postLarge({ port: first.port, ...stage }, stage.content, { count: size.mails, atOnce: 4 });
  await sleep(2_000);
  await first.kill();
  sink.pace = PACE;
  const second = await stage.start();
  await untilArrived(sink, size.mails);
  return { peak: peakOf(second), posts: null, atOnce: sink.count().mostAtOnce };
}

async function burst(stage: Stage): Promise<Found> {
  const { size, sink } = stage;
  sink.pace = PACE;
  const service = await stage.start();
  const count = size.burst;
  const posts = await postLarge({ port: service.port, ...stage }, stage.content, { count, atOnce: count });
  await untilArrived(sink, count);
  return { peak: peakOf(service), posts, atOnce: sink.count().mostAtOnce };
}

async function untilArrived(sink: SlowSink, mails: number): Promise<void> {
  const deadline = monotonic() + LIMIT;
  while (sink.count().mails < mails) {
    if (monotonic() > deadline) throw new Error(`Only ${sink.count().mails} of ${mails} mails arrived.`);
    await sleep(100);
  }
  if (sink.count().duplicates > 0) throw new Error(`${sink.count().duplicates} mails arrived twice.`);
}

const peakOf = ({ pid }: Service): number => processUsage(pid)?.peakMemory ?? NaN;

async function withStage<T>(size: Size, play: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  const sink = new SlowSink();
  const services: Service[] = [];
  try {
    const secret = randomBytes(32).toString('hex');
    const [sender] = await seed({ dataDir: folder, secret, workspaces: 1 });
    const mtaPort = await sink.listen();
    const env = { KURIR_DATA_DIR: folder, KURIR_SECRET: secret };
    const start = async (): Promise<Service> => {
      const service = await startService({ folder, env, mtaPort, connections: CONNECTIONS });
      services.push(service);
      return service;
    };
    const content = randomBytes(size.attachmentBytes).toString('base64');
    return await play({ size, sink, sender: sender!, content, start });
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    sink.close();
    clear();
  }
}
