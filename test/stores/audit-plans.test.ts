import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import { TABLES } from '../../stores/embedded/audit/tables';
import { ReadOnlyFile } from '../../stores/embedded/audit/read-only-file';
import { openEmbedded } from '../../stores/embedded/open';
import { NewerSchemaError, UnavailableError } from '../../lib/errors';
import { acceptMessage, createSender } from '../support/builders';
import { frozenClock } from '../support/clock';
import { aJourney, anEnrollment } from '../support/marketing';

let dir: string;
let file: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'kurir-plans-'));
  file = join(dir, 'plans.sqlite');
  const engine = await openEmbedded({ file, clock: frozenClock() });
  const sender = await createSender(engine.stores);
  const { id: messageId, workspaceId } = await acceptMessage(engine.stores, sender, { idempotencyKey: 'pesanan-1' });
  const event = {
    id: 'evt_1',
    messageId,
    workspaceId,
    event: 'open',
    occurredAt: 1,
    link: null,
    reason: null,
  } as const;
  await engine.stores.deliveries.fanOut(event, 1);
  const journey = await engine.stores.journeys.create(aJourney(workspaceId));
  await engine.stores.journeyRuns.enroll(anEnrollment(journey));
  await engine.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The keys that are looked for, and steps from one to the next. Messages are counted once, through an index. */
const MAY_BE_SCANNED = /SCAN (v|days|CONSTANT ROW|\(subquery-\d+\)|messages USING COVERING INDEX)/;
/** Scans of everything are declared as such; of sales there are few. */
const ARE_SCANNED = /WHERE \? IS NULL|FROM conversions t/;
/** Keys are sorted by their messages, on disk when there are many. */
const MAY_BE_SORTED = /FROM idempotency t/;

describe('the file of the embedded engine, as the audit reads it', () => {
  it('is searched through its indexes: each scan sees the rows of one workspace', async () => {
    const spies = (['get', 'all', 'pages'] as const).map((method) => jest.spyOn(ReadOnlyFile.prototype, method));
    await readEverything();
    const statements = new Set(spies.flatMap((spy) => spy.mock.calls.map((call) => call.find(isStatement))));
    for (const spy of spies) spy.mockRestore();

    const db = new DatabaseSync(file);
    const faults: string[] = [];
    for (const sql of statements) {
      if (sql === undefined || sql.startsWith('PRAGMA')) continue;
      const numbered = Math.max(...[...sql.matchAll(/\?(\d+)/g)].map((match) => Number(match[1])), 0);
      const values = Array<null>(numbered || (sql.match(/\?/g) ?? []).length).fill(null);
      for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]) {
        const scans = /^SCAN/.test(detail) && !MAY_BE_SCANNED.test(detail) && !ARE_SCANNED.test(sql);
        const sorts = detail.includes('TEMP B-TREE') && !MAY_BE_SORTED.test(sql);
        if (scans || sorts) faults.push(`${detail}: ${sql}`);
      }
    }
    db.close();
    expect(statements.size).toBeGreaterThan(18);
    expect(faults).toEqual([]);
  });

  it('is refused when a newer program wrote it, an older one, or nobody did', async () => {
    const db = new DatabaseSync(file);
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    const withVersion = (other: number): void => db.exec(`PRAGMA user_version = ${other}`);
    withVersion(version + 1);
    expect(() => openAuditSource(file)).toThrow(NewerSchemaError);
    withVersion(version - 1);
    expect(() => openAuditSource(file)).toThrow(UnavailableError);
    withVersion(version);
    db.close();
    expect(() => openAuditSource(join(dir, 'nowhere.sqlite'))).toThrow(UnavailableError);
    await openAuditSource(file).close();
  });
});

const isStatement = (value: unknown): value is string => typeof value === 'string';

/** Reads every collection in every way, and calls the other members of the port once. */
async function readEverything(): Promise<void> {
  const source = openAuditSource(file);
  await source.nextWorkspace(0);
  await source.messageCount();
  await source.positions();
  await source.snapshotWithLog(async (rows) => {
    await rows.settings();
    for await (const record of rows.pending('coins', 'coins.entries')) expect(record).toBeDefined();
    for (const [name, { scan, find }] of Object.entries<Ways>(TABLES)) {
      if (scan) for await (const page of rows.scan(name as 'ledger', 1)) expect(page).toBeInstanceOf(Array);
      for (const by of Object.keys(find ?? {})) {
        for await (const page of rows.find(name as 'gates', by as 'key', [[1, 'x']])) expect(page).toEqual([]);
      }
    }
  });
  await source.close();
}

interface Ways {
  scan?: string;
  find?: Readonly<Record<string, string>>;
}
