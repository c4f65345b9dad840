import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PER_PAGE } from '../../../schemas/responses/page';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { openEmbedded } from '../../../stores/embedded/open';
import { openMongo } from '../../../stores/mongodb/database/client';
import { mongoStores } from '../../../stores/mongodb/stores';
import { prepareCollections } from '../../../stores/mongodb/database/prepare';
import type { Stores } from '../../../stores/ports';
import { fillDatabase, fillFile, PAGED } from '../fill-lists';
import { fixed, machine, type Section, whole } from '../report';

export const LISTS_TITLE = 'Lists, page by page';

/** How often each page is read, in turn with the first. */
const READS = 25;

type Read = (offset: number) => Promise<{ total: number; items: readonly object[] }>;

/** The last page of long lists compared with the first: embedded engine, and MongoDB where its server is given. */
export async function listPages(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const items = quick ? 50_000 : 1_000_000;
  const rows = await onEmbedded(items);
  const url = env['MONGODB_URL'];
  if (url) rows.push(...(await onMongo(url, items)));
  return {
    title: LISTS_TITLE,
    about:
      `\`npm run bench -- lists\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Pages of ${PER_PAGE} with their total, of ` +
      `one workspace with ${whole(items)} contacts and messages among 24 others with a quarter as many, by the stores' own methods: the ` +
      `last page compared with the first, each the quickest of ${READS} reads in turn.`,
    head: ['engine', 'list', 'items', 'last page', 'page 1 ms', 'last page ms', 'ratio'],
    rows,
  };
}

async function onEmbedded(items: number): Promise<string[][]> {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', clear);
  const open = () => openEmbedded({ file: join(dir, 'kurir.sqlite'), clock: new AdvancingClock() });
  try {
    await (await open()).close();
    fillFile(join(dir, 'kurir.sqlite'), items);
    const engine = await open();
    const rows = await measure('embedded', engine.stores);
    await engine.close();
    return rows;
  } finally {
    clear();
  }
}

async function onMongo(url: string, items: number): Promise<string[][]> {
  const mongo = await openMongo({ url, database: `kurir_bench_${randomBytes(4).toString('hex')}` });
  try {
    await prepareCollections(mongo.db);
    await fillDatabase(mongo, items);
    const engine = mongoStores(mongo, { clock: new AdvancingClock(), publish: async () => {} });
    const rows = await measure('cluster', engine.stores);
    await engine.close();
    return rows;
  } finally {
    await mongo.db.dropDatabase();
    await mongo.close();
  }
}

async function measure(engine: string, { contacts, messages }: Stores): Promise<string[][]> {
  const lists: Record<string, Read> = {
    contacts: (offset) => contacts.list(PAGED, { offset, limit: PER_PAGE }),
    messages: (offset) => messages.list(PAGED, { offset, limit: PER_PAGE }),
    'messages, failed': (offset) => messages.list(PAGED, { status: 'failed', offset, limit: PER_PAGE }),
  };
  const rows: string[][] = [];
  for (const [name, read] of Object.entries(lists)) rows.push([engine, name, ...(await compare(read))]);
  return rows;
}

async function compare(read: Read): Promise<string[]> {
  const { total } = await read(0);
  const last = Math.ceil(total / PER_PAGE);
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < READS; n += 1) {
    times[0].push(await timed(read, 0));
    times[1].push(await timed(read, (last - 1) * PER_PAGE));
  }
  const [first, end] = [Math.min(...times[0]), Math.min(...times[1])];
  return [whole(total), whole(last), fixed(first, 2), fixed(end, 2), fixed(end / first, 2)];
}

async function timed(read: Read, offset: number): Promise<number> {
  const start = performance.now();
  const { items } = await read(offset);
  if (items.length === 0) throw new Error(`The page at ${offset} is empty.`);
  return performance.now() - start;
}
