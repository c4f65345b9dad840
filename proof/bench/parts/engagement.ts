import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { periodStart } from '../../../domain/engagement/engagement';
import { openEmbedded } from '../../../stores/embedded/open';
import { openThreaded } from '../../../stores/embedded/threaded/open-threaded';
import { openMongo } from '../../../stores/mongodb/database/client';
import { mongoStores } from '../../../stores/mongodb/stores';
import { prepareCollections } from '../../../stores/mongodb/database/prepare';
import type { EngagementQuery, EngagementStore } from '../../../stores/ports/engagement-store';
import { clusterServers } from '../cluster-servers';
import { EngagementFill } from '../engagement-fill';
import { fixed, machine, type Section, whole } from '../report';

export const ENGAGEMENT_TITLE = 'Engagement';

const FULL = { contacts: 100_000, events: 1_000_000 };
const QUICK = { contacts: 5_000, events: 50_000 };
const ROUNDS = 5;
const PERIODS = { '90 days': 90, 'all time': 0 } as const;

type Env = Readonly<Record<string, string | undefined>>;
/** Returns the total by counting signals, from `since` on. */
type AdHoc = (since: number) => number | Promise<number>;

/** The query of GET /contacts/engagement over many signals: from the roll-ups, compared with the signals themselves. */
export async function engagementTime(quick: boolean, env: Env): Promise<Section> {
  const size = quick ? QUICK : FULL;
  const clock = new AdvancingClock();
  const fill = new EngagementFill(size, clock.now());
  const rows = [...(await embeddedRows(fill, clock)), ...(await mongoRows(fill, clock, env))];
  return {
    title: ENGAGEMENT_TITLE,
    about:
      `\`npm run bench -- engagement\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} The first page of the most active ` +
      `contacts with the total, over ${whole(size.events)} opens and clicks of ${whole(size.contacts)} contacts within a year, once from ` +
      'the roll-ups and once by a query over the signals that counts the same; medians of rounds in turn. The ratio is that of the query to ours.',
    head: ['engine', 'period', 'contacts found', 'roll-ups ms', 'by signals ms', 'ratio'],
    rows,
  };
}

async function embeddedRows(fill: EngagementFill, clock: AdvancingClock): Promise<string[][]> {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', clear);
  const file = join(dir, 'kurir.sqlite');
  try {
    const empty = await openEmbedded({ file, clock });
    await empty.close();
    fill.intoFile(file);
    const onGone = (error: Error): void => {
      throw error;
    };
    const program = join(__dirname, 'store-thread.js');
    const engine = await openThreaded({ file, clock, program, onGone });
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      db.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = FILE');
      const adHoc = db.prepare(AD_HOC_SQL);
      return await measure('embedded', engine.stores.engagement, clock, (since) =>
        Number((adHoc.get(since) as { total: number }).total),
      );
    } finally {
      db.close();
      await engine.close();
    }
  } finally {
    clear();
  }
}

const AD_HOC_SQL = `WITH active AS (
    SELECT m.contact_id, count(DISTINCT s.message_id) AS opened,
      count(DISTINCT iif(s.kind = 'click', s.message_id, NULL)) AS clicked, sum(s.kind = 'click') AS clicks
    FROM signals s JOIN messages m ON m.id = s.message_id
    WHERE s.workspace_id = 1 AND s.kind IN ('open', 'click') AND s.at >= ? GROUP BY m.contact_id)
  SELECT *, (SELECT count(*) FROM active) AS total FROM active
  ORDER BY opened DESC, clicked DESC, clicks DESC, contact_id LIMIT 50`;

async function mongoRows(fill: EngagementFill, clock: AdvancingClock, env: Env): Promise<string[][]> {
  const database = `kurir_bench_${randomBytes(4).toString('hex')}`;
  const mongo = await openMongo({ url: clusterServers(env).mongodb, database, answerMS: 10 * 60_000 });
  try {
    await prepareCollections(mongo.db);
    await fill.intoDatabase(mongo.db);
    const opened = mongoStores(mongo, { clock, publish: () => Promise.resolve() });
    const rows = await measure('MongoDB', opened.stores.engagement, clock, async (since) => {
      const [found] = await mongo.db
        .collection('signals')
        .aggregate<{ total: { n: number }[] }>(adHocPipeline(since), { allowDiskUse: true })
        .toArray();
      return found?.total[0]?.n ?? 0;
    });
    await opened.close();
    return rows;
  } finally {
    await mongo.db.dropDatabase();
    await mongo.close();
  }
}

function adHocPipeline(since: number): object[] {
  const click = { $cond: [{ $eq: ['$kind', 'click'] }, 1, 0] };
  return [
    { $match: { workspaceId: 1, kind: { $in: ['open', 'click'] }, at: { $gte: since } } },
    { $group: { _id: '$messageId', clicks: { $sum: click }, clicked: { $max: click } } },
    { $lookup: { from: 'messages', localField: '_id', foreignField: '_id', as: 'message' } },
    { $set: { contactId: { $first: '$message.contactId' } } },
    {
      $group: {
        _id: '$contactId',
        opened: { $sum: 1 },
        clicked: { $sum: '$clicked' },
        clicks: { $sum: '$clicks' },
      },
    },
    {
      $facet: {
        page: [{ $sort: { opened: -1, clicked: -1, clicks: -1, _id: 1 } }, { $limit: 50 }],
        total: [{ $count: 'n' }],
      },
    },
  ];
}

/** Times both in turn. Throws when their totals differ. */
async function measure(
  engine: string,
  store: EngagementStore,
  clock: AdvancingClock,
  adHoc: AdHoc,
): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [period, days] of Object.entries(PERIODS)) {
    const since = periodStart(clock.now(), days);
    const query: EngagementQuery = { by: 'opens', since, audienceId: null, offset: 0, limit: 50 };
    const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ours, page] = await timed(() => store.top(1, query));
      const [theirs, counted] = await timed(async () => adHoc(since ?? 0));
      if (page.total !== counted || page.items.length === 0) throw new Error(`${page.total} and ${counted} contacts`);
      times.ours.push(ours);
      times.theirs.push(theirs);
      total = counted;
    }
    const [ours, theirs] = [median(times.ours), median(times.theirs)];
    console.error(`${engine}, ${period}: ${whole(ours)} and ${whole(theirs)} ms`);
    rows.push([engine, period, whole(total), whole(ours), whole(theirs), fixed(theirs / ours, 1)]);
  }
  return rows;
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, value: T]> {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
