import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { openEmbedded } from '../../../stores/embedded/open';
import { openMongo } from '../../../stores/mongodb/database/client';
import { prepareCollections } from '../../../stores/mongodb/database/prepare';
import { mongoStores } from '../../../stores/mongodb/stores';
import type { Stores } from '../../../stores/ports';
import { fixed, machine, type Section, whole } from '../report';
import {
  boughtAt,
  contactOf,
  fillSalesDatabase,
  fillSalesFile,
  mailId,
  mailsOf,
  SHOP,
  type SalesSize,
} from '../sales-fill';

export const CONVERSIONS_TITLE = 'Conversions';

/** Sales that are reported and linked, one after the other. */
const SOLD = 400;
const EMBEDDED: readonly SalesSize[] = [
  { clicks: 10_000, sales: 1_000 },
  { clicks: 100_000, sales: 10_000 },
  { clicks: 1_000_000, sales: 100_000 },
];
/** A tenth of each. */
const smaller = ({ clicks, sales }: SalesSize): SalesSize => ({ clicks: clicks / 10, sales: sales / 10 });

/** The times of one size, ms: to report a sale, and to link it. */
export interface LinkTimes {
  accept: number[];
  link: number[];
}

/** Stores that are filled, and how to leave them. */
interface Filled {
  size: SalesSize;
  stores: Pick<Stores, 'conversions'>;
  remove: () => Promise<void>;
}

/**
 * How long a sale takes to be linked, with few and many clicks and sales: embedded, and MongoDB where its server is
 * given.
 */
export async function linkingTime(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const sizes = quick ? EMBEDDED.slice(0, 2).map(smaller) : EMBEDDED;
  const rows = await rowsOf('embedded', sizes, fillFile);
  const url = env['MONGODB_URL'];
  if (url) rows.push(...(await rowsOf('cluster', sizes.map(smaller), (size) => fillDatabase(url, size))));
  return {
    title: CONVERSIONS_TITLE,
    about:
      `\`npm run bench -- ${quick ? '--quick ' : ''}conversions\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} ` +
      `Load at the start: ${fixed(loadavg()[0] ?? 0, 1)}. ${whole(SOLD)} sales, by turns by message and by contact, each reported ` +
      'and then linked, on all sizes of an engine in turn. What is stored: clicks, five a mail, and sales that are linked to them. ' +
      'Report and link are a durable commit each. The ratio is that of the median of linking to the first line of the engine. The ' +
      'cluster engine has a tenth of the data.',
    head: ['engine', 'clicks', 'sales', 'report ms', 'link ms', 'link p99 ms', 'ratio'],
    rows,
  };
}

async function rowsOf(
  engine: string,
  sizes: readonly SalesSize[],
  fill: (size: SalesSize) => Promise<Filled>,
): Promise<string[][]> {
  const filled: Filled[] = [];
  try {
    for (const size of sizes) {
      console.error(`${engine}: fills ${whole(size.clicks)} clicks`);
      filled.push(await fill(size));
    }
    const times = await sellInTurn(filled, SOLD);
    const first = rank(times[0]?.link ?? [], 0.5);
    return filled.map(({ size }, n) => {
      const { accept = [], link = [] } = times[n] ?? {};
      const ms = [rank(accept, 0.5), rank(link, 0.5), rank(link, 0.99)].map((value) => fixed(value, 2));
      return [engine, whole(size.clicks), whole(size.sales), ...ms, fixed(rank(link, 0.5) / first, 2)];
    });
  } finally {
    for (const { remove } of filled) await remove();
  }
}

const rank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function fillFile(size: SalesSize): Promise<Filled> {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', clear);
  const file = join(dir, 'kurir.sqlite');
  const clock = new AdvancingClock();
  await (await openEmbedded({ file, clock })).close();
  fillSalesFile(file, size);
  const engine = await openEmbedded({ file, clock });
  return { size, stores: engine.stores, remove: () => engine.close().then(clear) };
}

async function fillDatabase(url: string, size: SalesSize): Promise<Filled> {
  const mongo = await openMongo({ url, database: `kurir_bench_${randomBytes(4).toString('hex')}` });
  await prepareCollections(mongo.db);
  await fillSalesDatabase(mongo, size);
  const engine = mongoStores(mongo, { clock: new AdvancingClock(), publish: async () => {} });
  const remove = async (): Promise<void> => {
    await engine.close();
    await mongo.db.dropDatabase();
    await mongo.close();
  };
  return { size, stores: engine.stores, remove };
}

/**
 * Reports and links sales of mails all over the data, one on each of the stores in turn; the times of each. Throws when
 * one is not linked to its mail.
 */
export async function sellInTurn(
  filled: readonly Pick<Filled, 'size' | 'stores'>[],
  count: number,
): Promise<LinkTimes[]> {
  const times = filled.map((): LinkTimes => ({ accept: [], link: [] }));
  for (let n = 0; n < count; n += 1) {
    for (const [i, { size, stores }] of filled.entries()) await sell(stores, size, n, times[i]!);
  }
  return times;
}

async function sell(
  { conversions }: Filled['stores'],
  size: SalesSize,
  n: number,
  { accept, link }: LinkTimes,
): Promise<void> {
  const mail = 1 + ((n * 7_919) % mailsOf(size));
  const owner =
    n % 2 === 0 ? { messageId: mailId(mail), contactId: null } : { messageId: null, contactId: contactOf(size, mail) };
  const occurredAt = boughtAt(size, mail);
  const sale = { id: uuidv7(), workspaceId: SHOP, amount: 1_000, ...owner, orderId: `bench-${n}` };
  const began = performance.now();
  await conversions.accept({ ...sale, occurredAt, receivedAt: occurredAt });
  const accepted = performance.now();
  await conversions.link(sale.id);
  accept.push(accepted - began);
  link.push(performance.now() - accepted);
  const found = (await conversions.get(sale.id))?.link?.messageId;
  if (found !== mailId(mail)) throw new Error(`The sale of mail ${mail} is linked to ${found}.`);
}
