import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../../app/audit/audit';
import { checkDelivery } from '../../../../domain/audit/check-webhooks';
import { START_WORK } from '../../../../domain/campaigns/campaign-moves';
import type { ListCount } from '../../../../domain/audit/check-lists';
import type { Difference } from '../../../../domain/audit/difference';
import { MAX_WEBHOOKS } from '../../../../domain/webhooks/webhook';
import { openAuditSource } from '../../../../stores/embedded/audit/audit-source';
import { Database } from '../../../../stores/embedded/database/database';
import { NewerSchemaError, OlderSchemaError } from '../../../../lib/errors';
import { SCHEMA_VERSION } from '../../../../stores/embedded/database/schema';
import { openEmbedded } from '../../../../stores/embedded/open';
import { decodeRecord } from '../../../../streams/decode-record';
import { TOPIC_NAMES } from '../../../../streams/topics';
import type { Engine } from '../../../../stores/ports/engine';
import { at, present } from '../../../contract/helpers';
import { pollCount, withReader } from '../../../contract/log-reading';
import { acceptMessage, aSignal, aWebhook, createSender } from '../../../support/builders';
import { frozenClock, TEST_START } from '../../../support/clock';
import { aConversion } from '../../../support/marketing';

/** As a program of schema version 1 left it: two messages, one of them opened twice and clicked once; a contact was deleted. */
const VERSION_1 = readFileSync(join(__dirname, 'version-1.sql'), 'utf8');
/**
 * As a program of schema version 2 left it: a mail of each fate, one opened and clicked, one waiting for its retry with an
 * attachment; an audience, a webhook, an enrolment, a conversion, a parked record.
 */
const VERSION_2 = readFileSync(join(__dirname, 'version-2.sql'), 'utf8');
/** Its log: the throttle had done one of two records, and one was parked. */
const LOG_OF_1 = `
  INSERT INTO cursors VALUES ('throttle', 2);
  INSERT INTO parked (topic, consumer, key, value, reason, parked_at)
    VALUES ('coins.entries', 'coins', '1', '{"id":"x"}', 'no entry', 7)`;
const WORKSPACE = 1;
const PAGE = { offset: 0, limit: 5 };

describe('a file of schema version 1', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
  const file = join(dir, 'kurir.sqlite');
  let engine: Engine;

  beforeAll(async () => {
    const db = new DatabaseSync(file);
    db.exec(VERSION_1);
    db.exec(LOG_OF_1);
    db.close();
    engine = await openEmbedded({ file, clock: frozenClock() });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(dir, { recursive: true });
  });

  test('has its lists counted at the first start, and they go on from there', async () => {
    const { stores } = engine;
    expect((await stores.contacts.list(WORKSPACE, { offset: 1, limit: 5 })).items.map(({ id }) => id)).toEqual([2]);
    const failed = await stores.messages.list(WORKSPACE, { status: 'failed', ...PAGE });
    const message = at(failed.items, 0);
    expect([failed.total, message.status]).toEqual([1, 'failed']);
    const sent = at((await stores.messages.list(WORKSPACE, { status: 'sent_to_mta', ...PAGE })).items, 0);
    await stores.messages.change(sent.id, () => ({ set: { status: 'failed' }, at: TEST_START + 30, records: [] }));
    expect((await stores.messages.list(WORKSPACE, { status: 'failed', ...PAGE })).total).toBe(2);
    const counts = await listCounts();
    expect(counts.filter(({ items, counted }) => items !== counted)).toEqual([]);
    expect(counts.find(({ list }) => list === 'contacts')).toMatchObject({ items: 2, from: 0, to: 1_023 });
  });

  test('has its signals rolled up, and clicks name their place in the links of the message', async () => {
    const { stores } = engine;
    const top = await stores.engagement.top(WORKSPACE, { by: 'clicks', since: null, audienceId: null, ...PAGE });
    expect(top).toMatchObject({ total: 1, items: [{ opened: 1, clicked: 1, totalClicks: 1 }] });
    const { items } = await stores.messages.list(WORKSPACE, PAGE);
    const signals = await stores.signals.ofMessage(present(items.find(({ dispatchedAt }) => dispatchedAt !== null)).id);
    expect(signals.map(({ kind, link }) => [kind, link])).toEqual([
      ['open', null],
      ['click', 1],
      ['open', null],
    ]);
  });

  test('has its log read on from where each group stood, its records and dead letters being version 1', async () => {
    const { log } = engine;
    expect([await log.lag('throttle'), await log.lag('dispatch')]).toEqual([1, 0]);
    const [record] = await withReader(log, 'throttle', (reader) => pollCount(reader, 1));
    expect(record).toMatchObject({ offset: 2, version: 1, forGroup: null });
    expect(decodeRecord(present(record)).fault).toBeNull();
    const [parked] = await log.parked(10);
    expect(parked).toMatchObject({ group: 'coins', version: 1, value: { id: 'x' } });
    expect(await log.redrive(present(parked).id)).toBe(true);
    const [again] = await withReader(log, 'coins', (reader) => pollCount(reader, 1));
    expect(again).toMatchObject({ version: 1, forGroup: 'coins', value: { id: 'x' } });
    for (const topic of TOPIC_NAMES) await log.publish([{ topic, key: 'k', value: {} } as never]);
  });

  async function listCounts(): Promise<ListCount[]> {
    const source = openAuditSource(file);
    const counts: ListCount[] = [];
    await source.workspace(WORKSPACE, async (snapshot) => {
      for await (const page of snapshot.derived.lists()) counts.push(...page);
    });
    await source.close();
    return counts;
  }
});

describe('a file of schema version 2', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
  const file = join(dir, 'kurir.sqlite');
  const fresh = join(dir, 'fresh.sqlite');
  let engine: Engine;

  beforeAll(async () => {
    const db = new DatabaseSync(file);
    db.exec(VERSION_2);
    db.close();
    engine = await openEmbedded({ file, clock: frozenClock() });
    await (await openEmbedded({ file: fresh, clock: frozenClock() })).close();
  });
  afterAll(async () => {
    await engine.close();
    rmSync(dir, { recursive: true });
  });

  test('has the version, tables and indexes of a new one', () => {
    const [migrated, made] = [file, fresh].map((path) => {
      const db = new DatabaseSync(path);
      const names = db
        .prepare(`SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name`)
        .all();
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      db.close();
      return { names, version };
    });
    expect(migrated).toEqual(made);
    expect(made?.version).toBe(SCHEMA_VERSION);
  });

  test('has lost nothing, and the audit finds nothing wrong', async () => {
    const { stores, log } = engine;
    const { total, items } = await stores.messages.list(WORKSPACE, { offset: 0, limit: 10 });
    expect([total, items.map(({ status }) => status).sort()]).toEqual([
      6,
      ['bounced', 'delivered', 'delivered', 'failed', 'queued', 'sent_to_mta'],
    ]);
    expect(items.map(({ attachmentsLeftOut }) => attachmentsLeftOut)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await stores.coins.account(WORKSPACE)).toMatchObject({ balance: 99_992 });
    const [journey] = await stores.journeys.list(WORKSPACE);
    const { id, version, steps } = present(journey);
    expect(await stores.journeys.version(WORKSPACE, id, version)).toMatchObject({ steps });
    const [enrolled] = await stores.journeyRuns.list({ workspaceId: WORKSPACE, id }, 0, 9);
    const { enrolledAt, dueAt } = present(enrolled);
    expect(enrolled).toMatchObject({ status: 'active', step: 1, version: 1, since: enrolledAt, steps: [] });
    expect([present(dueAt) % 60_000, await stores.dueTasks.nextDue('journey-step')]).toEqual([0, dueAt]);
    expect(await stores.webhooks.list(WORKSPACE)).toHaveLength(1);
    expect(await log.parked(10)).toMatchObject([{ group: 'mta-feedback', reason: 'no feedback' }]);
    expect(await Promise.all([log.lag('coins'), log.lag('dispatch'), log.lag('engagement')])).toEqual([0, 0, 0]);
    const source = openAuditSource(file);
    const found: Difference[] = [];
    await runAudit(source, { onDifference: (difference) => found.push(difference), patience: 0 });
    await source.close();
    expect(found).toEqual([]);
  });

  test('takes due tasks from now on', async () => {
    const { dueTasks } = engine.stores;
    const task = {
      kind: START_WORK,
      id: '1',
      workspaceId: WORKSPACE,
      lane: '',
      dueAt: TEST_START,
      payload: {},
    } as const;
    await dueTasks.schedule([task]);
    expect(await dueTasks.nextDue(START_WORK)).toBe(TEST_START);
  });
});

describe('a file of schema version 4', () => {
  test('keeps its events and deliveries, of which the audit knows less', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
    const file = join(dir, 'kurir.sqlite');
    const event = { id: 'evt_1', messageId: 'm', event: 'open', occurredAt: 1, link: null, reason: null } as const;
    const first = await openEmbedded({ file, clock: frozenClock() });
    await first.stores.webhooks.create(aWebhook(WORKSPACE, { eventTypes: ['open'] }), MAX_WEBHOOKS);
    await first.stores.deliveries.fanOut({ ...event, workspaceId: WORKSPACE }, TEST_START);
    await first.close();
    const db = new DatabaseSync(file);
    db.exec(`ALTER TABLE webhook_events DROP COLUMN webhooks; ALTER TABLE webhook_deliveries DROP COLUMN event_id;
      PRAGMA user_version = 4`);
    db.close();
    const migrated = await openEmbedded({ file, clock: frozenClock() });
    expect(await migrated.stores.deliveries.ofMessage('m')).toMatchObject([{ state: 'waiting', eventId: null }]);
    expect(await migrated.stores.deliveries.events(WORKSPACE, { afterSeq: 0 }, 9)).toHaveLength(1);
    const source = openAuditSource(file);
    await source.workspace(WORKSPACE, async ({ webhooks }) => {
      for await (const [record] of webhooks.events()) expect(record?.webhooks).toBeNull();
      for await (const page of webhooks.deliveries()) expect(page.flatMap(checkDelivery)).toEqual([]);
    });
    await source.close();
    await migrated.close();
    rmSync(dir, { recursive: true });
  });
});

describe('a file of schema version 13', () => {
  test('has the journeys of its linked sales', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
    const file = join(dir, 'kurir.sqlite');
    const first = await openEmbedded({ file, clock: frozenClock() });
    const sender = await createSender(first.stores);
    const facts = { lane: 'journey', journeyId: 4, journeyVersion: 1, journeyStep: 1 } as const;
    const sales = [];
    for (const message of [
      await acceptMessage(first.stores, sender, { facts }),
      await acceptMessage(first.stores, sender),
    ]) {
      await first.stores.signals.store(
        aSignal(message.id, { kind: 'click', at: TEST_START, link: 0 }),
        sender.workspace.id,
        [],
      );
      const sale = aConversion(sender.workspace.id, { messageId: message.id, occurredAt: TEST_START, amount: 5 });
      await first.stores.conversions.accept(sale);
      await first.stores.conversions.link(sale.id);
      sales.push(sale);
    }
    await first.close();
    const db = new DatabaseSync(file);
    db.exec(
      `DROP INDEX conversions_of_journey; ALTER TABLE conversions DROP COLUMN journey_id; PRAGMA user_version = 13`,
    );
    db.close();
    const migrated = await openEmbedded({ file, clock: frozenClock() });
    const { conversions } = migrated.stores;
    expect(await conversions.ofJourney(4)).toEqual({ conversions: 1, revenue: 5 });
    const links = await Promise.all(sales.map(({ id }) => conversions.get(id)));
    expect(links.map((sale) => sale?.link?.journeyId)).toEqual([4, null]);
    await migrated.close();
    rmSync(dir, { recursive: true });
  });
});

test('a command beside the service migrates nothing, and writes nothing once a newer program has migrated', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
  const file = join(dir, 'kurir.sqlite');
  const db = new DatabaseSync(file);
  db.exec(VERSION_2);
  expect(() => new Database(file, true)).toThrow(OlderSchemaError);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
  new Database(file).close();
  const command = new Database(file, true);
  command.begin();
  command.commit();
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  expect(() => command.begin()).toThrow(NewerSchemaError);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  command.begin();
  command.rollback();
  command.close({ checkpoint: false });
  db.close();
  rmSync(dir, { recursive: true });
});

test.each([VERSION_1, VERSION_2])('a file that another program migrates first is not migrated again (%#)', (older) => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
  const file = join(dir, 'kurir.sqlite');
  const db = new DatabaseSync(file);
  db.exec(older);
  db.close();
  /** Lets the other program open the file after this one has looked at its version. */
  class Late extends Database {
    override begin(): void {
      this.endRead();
      new Database(file).close();
      super.begin();
    }
  }
  const late = new Late(file);
  expect(late.get('PRAGMA user_version')).toEqual({ user_version: SCHEMA_VERSION });
  late.close();
  rmSync(dir, { recursive: true });
});
