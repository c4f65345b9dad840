import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import { ReadOnlyFile } from '../../stores/embedded/audit/read-only-file';
import { openEmbedded } from '../../stores/embedded/open';
import { NewerSchemaError, UnavailableError } from '../../lib/errors';
import type { Pages } from '../../stores/ports/audit-source';
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
  await engine.stores.journeyRuns.enrol(anEnrollment(journey));
  await engine.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Small: one row a lease, and one a day and workspace. Messages are counted once, through an index. */
const MAY_BE_SCANNED = /SCAN (leases|send_days|json_each|CONSTANT ROW|\(subquery-\d+\)|messages USING COVERING INDEX)/;
/** Keys are sorted by their messages, on disk when there are many. */
const MAY_BE_SORTED = /ORDER BY i\.seq/;

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
        const scans = /^SCAN/.test(detail) && !MAY_BE_SCANNED.test(detail);
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

/** Calls every member of the port once. */
async function readEverything(): Promise<void> {
  const source = openAuditSource(file);
  const [workspaceId] = await source.workspaces(0, 10);
  const drain = async (pages: Pages<unknown>): Promise<void> => {
    for await (const page of pages) expect(Array.isArray(page)).toBe(true);
  };
  await source.workspace(workspaceId!, async (snapshot) => {
    await snapshot.coins.account();
    await drain(snapshot.messages());
    await drain(snapshot.coins.ledger());
    await drain(snapshot.coins.penalties());
    await drain(snapshot.idempotencyKeys());
    await drain(snapshot.claims());
    await drain(snapshot.derived.lists());
    await snapshot.derived.dayCounters();
    await snapshot.coins.pendingEntries();
    await snapshot.aliveUntil();
    await snapshot.webhooks.facts();
    await drain(snapshot.webhooks.events());
    await drain(snapshot.webhooks.deliveries());
    await drain(snapshot.enrolments());
  });
  await source.messageCount();
  await source.platformDays();
  await source.strays(10);
  await source.find(['x']);
  await source.missing(['x']);
  await source.close();
}
