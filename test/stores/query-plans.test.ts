import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../stores/embedded/database/database';
import { INDEXES, TABLES, UNIQUE_INDEXES } from '../../stores/embedded/database/schema';
import type { Value } from '../../stores/embedded/database/database';
import { findMessages } from '../../stores/embedded/messages/find-messages';
import type { MessageFilter } from '../../stores/ports/message-store';
import { activeContacts } from '../../stores/embedded/engagement/top-contacts';
import { openEmbedded } from '../../stores/embedded/open';
import { HOUR } from '../../lib/clock';
import { acceptMessage, aSignal, aWebhook, createSender } from '../support/builders';
import { frozenClock } from '../support/clock';
import { exerciseDueTasks } from './exercise-due-tasks';
import { exerciseMarketing } from './exercise-marketing';
import { exerciseRecords } from './exercise-records';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'kurir-plans-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/**
 * Small by nature: one row a table, a workspace, a setting, a lease, a consumer, a deletion under way; or read whole on
 * purpose by the operator.
 */
const MAY_BE_SCANNED = /SCAN (workspaces|parked|leases|anonymising|sqlite_sequence)\b/;

/** Sorted on purpose: the rows of one page, into groups as few as the steps of a journey. */
const MAY_BE_SORTED = /e\.contact_id <= \?4 .*GROUP BY [es]\.step$/s;

describe('the queries of the embedded engine', () => {
  it('have an index each: no plan scans a table that grows', async () => {
    const statements = new Set<string>();
    const notes = noteStatements(statements);
    const clock = frozenClock();
    const file = join(dir, 'plans.sqlite');
    const engine = await openEmbedded({ file, clock });
    await exercise(engine, clock.now());
    notes.restore();
    await engine.close();

    const db = new DatabaseSync(file);
    const scans: string[] = [];
    for (const sql of statements) {
      if (!/^\s*(SELECT|UPDATE|DELETE|INSERT)/i.test(sql)) continue;
      const holes = Math.max(...[...sql.matchAll(/\?(\d+)/g)].map((match) => Number(match[1])), 0);
      const values = Array<null>(holes || (sql.match(/\?/g) ?? []).length).fill(null);
      // The plan does not tell that an index of what is being sent right now is small, and it is read to a limit.
      if (sql.includes('LIMIT ?)') && sql.includes('fenced_at IS NULL')) continue;
      for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]) {
        const scan = /^SCAN (?!CONSTANT ROW|\(subquery)/.test(detail);
        const sorts = detail.includes('TEMP B-TREE') && !MAY_BE_SORTED.test(sql);
        if ((scan && !MAY_BE_SCANNED.test(detail)) || sorts) scans.push(`${detail}: ${sql}`);
      }
    }
    db.close();
    expect(statements.size).toBeGreaterThan(40);
    expect(scans).toEqual([]);
  });

  it('of the throttle and the timers go through the indexes made for them', async () => {
    const db = new Database(join(dir, 'named.sqlite'));
    const plan = (sql: string): string =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .map(({ detail }) => detail)
        .join('; ');
    expect(
      plan(`SELECT * FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id WHERE m.status = 'queued'
        AND m.workspace_id = 1 AND m.lane = 'journey' AND m.due_at <= 5 ORDER BY m.due_at, m.seq LIMIT 9`),
    ).toMatch(/messages_queued/);
    expect(
      plan(`SELECT id FROM messages WHERE status IN ('sending', 'sent_to_mta') AND due_at <= 5 ORDER BY due_at`),
    ).toMatch(/messages_deadline/);
    expect(plan(`SELECT 1 FROM messages WHERE status = 'sending' AND fenced_at IS NULL LIMIT 5`)).toMatch(
      /messages_backlog/,
    );
    db.close();
  });

  it('of due tasks take those that are due in order, of all lanes or one, and go by the key otherwise', () => {
    const db = new Database(join(dir, 'due.sqlite'));
    const plan = (sql: string): string[] =>
      db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
    const due = (lane: string): string =>
      `SELECT id, payload FROM due_tasks WHERE kind = 'k' ${lane} AND ready_at <= 5 ORDER BY ready_at, id LIMIT 9`;
    expect(plan(due(''))).toEqual(['SEARCH due_tasks USING INDEX due_tasks_ready (kind=? AND ready_at<?)']);
    expect(plan(due(`AND lane = 'l'`))).toEqual([
      'SEARCH due_tasks USING INDEX due_tasks_of_lane (kind=? AND lane=? AND ready_at<?)',
    ]);
    expect(plan(`DELETE FROM due_tasks WHERE kind = 'k' AND id = 'i' AND token = 't'`)).toEqual([
      'SEARCH due_tasks USING PRIMARY KEY (kind=? AND id=?)',
    ]);
    db.close();
  });

  // spec: docs/contract.md#batch-status-check: status look-ups and the batch check use their index
  it('of long lists begin at the block of the page; a look-up of a status goes by the id', () => {
    const db = new Database(join(dir, 'lists.sqlite'));
    const plan = (sql: string): string[] =>
      db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
    expect(plan('SELECT * FROM contacts WHERE workspace_id = 1 AND id >= 5 ORDER BY id LIMIT 50 OFFSET 9')).toEqual([
      'SEARCH contacts USING INDEX contacts_of_workspace (workspace_id=? AND rowid>?)',
    ]);
    expect(
      plan(`SELECT m.subject FROM messages m WHERE m.workspace_id = 1 AND m.seq BETWEEN 5 AND 9 AND m.status = 'failed'
        ORDER BY m.seq DESC LIMIT 50 OFFSET 9`),
    ).toEqual(['SEARCH m USING INDEX messages_in_order (workspace_id=? AND seq>? AND seq<?)']);
    expect(plan(`SELECT m.status FROM messages m WHERE m.id = 'x'`)).toEqual([
      'SEARCH m USING INDEX sqlite_autoindex_messages_1 (id=?)',
    ]);
    db.close();
  });

  // spec: docs/contract.md#list-of-messages: a search has an index
  it('of a search count in the index of times alone, or go by the contact', () => {
    const db = new Database(join(dir, 'search.sqlite'));
    const sql: string[] = [];
    const noted = { all: <T>(text: string, ...values: Value[]): T[] => (sql.push(text), db.all<T>(text, ...values)) };
    for (const search of SEARCHES) findMessages(noted, 1, { ...search, offset: 0, limit: 10 });
    const plans = sql.map((text) => {
      const values = Array<null>((text.match(/\?/g) ?? []).length).fill(null);
      return db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values).map(({ detail }) => detail);
    });
    const byTime = (how: string) =>
      `SEARCH m USING ${how}INDEX messages_by_time (workspace_id=? AND created_at>? AND created_at<?)`;
    const byContact = 'SEARCH m USING INDEX messages_of_contact (contact_id=?)';
    const opened = 'SEARCH o USING PRIMARY KEY (workspace_id=? AND created_at>? AND created_at<?)';
    const complained = byTime('').replace('messages_by_time', 'messages_complained_by_time');
    const reads = [
      ...Array<string>(3).fill(byTime('COVERING ')),
      ...[byContact, byContact, opened, opened, complained, byTime('COVERING ')],
    ];
    // Each count reads up to a limit, in a query of its own.
    expect(plans).toEqual(reads.map((read) => ['CO-ROUTINE (subquery-1)', read, 'SCAN (subquery-1)']));
    db.close();
  });

  it('of engagement read the rows of the period, or those of the members of a small audience', () => {
    const db = new Database(join(dir, 'engagement.sqlite'));
    const plan = (...given: Parameters<typeof activeContacts>): string =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${activeContacts(...given)}`)
        .map(({ detail }) => detail)
        .join('; ');
    const period = /SEARCH e USING PRIMARY KEY \(workspace_id=\? AND hour>\?\)/;
    expect(plan(5, 'none')).toMatch(period);
    expect(plan(5, 'many')).toMatch(period);
    // In order of contacts already: nothing is sorted to group them.
    expect(plan(null, 'none')).toBe('SEARCH e USING PRIMARY KEY (workspace_id=? AND hour=?)');
    expect(plan(5, 'few')).toMatch(/engagement_of_contact \(contact_id=\? AND workspace_id=\? AND hour>\?\)/);
    db.close();
  });

  it('run on the tables and indexes of the list, and no others', async () => {
    const file = join(dir, 'list.sqlite');
    new Database(file).close();
    const db = new DatabaseSync(file);
    const named = (type: string): string[] =>
      (
        db.prepare(`SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'`).all(type) as {
          name: string;
        }[]
      )
        .map(({ name }) => name)
        .sort();
    expect(named('table')).toEqual(Object.keys(TABLES).sort());
    expect(named('index')).toEqual([...Object.keys(INDEXES), ...Object.keys(UNIQUE_INDEXES)].sort());
    db.close();
  });
});

/** Notes every statement that goes through the Database. */
function noteStatements(statements: Set<string>): { restore(): void } {
  const spies = (['get', 'all', 'run', 'insert'] as const).map((method) => jest.spyOn(Database.prototype, method));
  return {
    restore: () => {
      for (const spy of spies) {
        for (const [sql] of spy.mock.calls) statements.add(sql);
        spy.mockRestore();
      }
    },
  };
}

const SEARCHES: readonly MessageFilter[] = [
  { since: 1 },
  { channel: 'api' },
  { until: 4_000_000_000_000, channel: 'api', status: 'queued' },
  { contactId: 1 },
  { contactId: 1, since: 1, channel: 'api', status: 'queued' },
  { engagement: 'opened' },
  { engagement: 'clicked-by-machines', since: 1, until: 4_000_000_000_000 },
  { engagement: 'complained', since: 1 },
  { status: 'sent', since: 1 },
];

/** Calls every member of every port once, so that each of its statements is prepared. */
async function exercise({ stores, log }: Awaited<ReturnType<typeof openEmbedded>>, now: number): Promise<void> {
  const sender = await createSender(stores);
  const message = await acceptMessage(stores, sender);
  const { id: workspaceId } = sender.workspace;
  await stores.messages.list(workspaceId, { offset: 0, limit: 10 });
  await stores.messages.list(workspaceId, { status: 'queued', offset: 0, limit: 10 });
  for (const search of SEARCHES) await stores.messages.list(workspaceId, { ...search, offset: 0, limit: 10 });
  await stores.messages.getMany(workspaceId, [message.id]);
  await stores.messages.findByIdempotencyKey(workspaceId, 'some-key');
  await stores.messages.job(message.id);
  await stores.messages.links(message.id);
  await stores.messageHours.between(workspaceId, 0, 3_600_000);
  for (const search of [...SEARCHES, { subject: 'x', campaign: { id: 1, sentAt: now }, domainId: 1, toDomain: 'a' }])
    await stores.messageFinder.find(workspaceId, { ...search, limit: 10 });
  await stores.messages.history(message.id);
  await stores.messages.attempts(message.id);
  await stores.messages.change(message.id, () => ({ set: { failedReason: 'x' }, at: now, links: [], records: [] }));
  const epoch = (await stores.leases.acquire('throttle/0', 'me', now, 1_000))!;
  await stores.leases.renew('throttle/0', 'me', epoch, now, 1_000);
  await stores.queue.claim({
    workspaceId,
    lane: 'transactional',
    limit: 10,
    now,
    leaseUntil: now + 1,
    lease: { name: 'throttle/0', owner: 'me', epoch },
    day: '2026-01-05',
    workspaceDayCap: 5,
    platformDayCap: 5,
  });
  await stores.queue.workspacesWaiting(0, 5);
  await stores.queue.nextDue(workspaceId);
  await stores.queue.recentClaims(workspaceId, 0, 10);
  await stores.backlogs.claimed(10);
  await stores.queue.backlogByClass(10);
  await stores.wakeups.write([{ workspaceId, shard: 0, epoch, wakeup: { at: now, kind: 'turn' } }]);
  await stores.wakeups.list([0, 1], { at: 0, workspaceId: 0 }, now, 10);
  await stores.wakeups.find([workspaceId]);
  await stores.wakeups.write([{ workspaceId, shard: 0, epoch, wakeup: null }]);
  await stores.backlogs.lanes(now, 10);
  await stores.backlogs.awaitingReport(10);
  await stores.backlogs.tasks('plans', now, 10);
  await stores.deadlines.overdue(now, 10);
  await stores.deadlines.pastFence(10);
  await stores.deadlines.unknown(0, 10);
  await stores.deadlines.unfenced(now, 10);
  await stores.deadlines.attachmentsExpired(now, 10);
  await stores.deadlines.nextDeadline();
  await exerciseDueTasks(stores, now);
  await stores.coins.ofMessage(workspaceId, message.id);
  await stores.coins.rows(workspaceId, 0, 10);
  await stores.coins.newest(workspaceId, 10);
  await stores.coins.account(workspaceId);
  await stores.suppressions.reason(workspaceId, 'hash');
  await stores.suppressions.list(workspaceId, 10);
  await stores.suppressions.page(workspaceId, { offset: 0, limit: 10 });
  await stores.suppressions.page(workspaceId, { reason: 'manual', offset: 0, limit: 10 });
  await stores.contacts.findByHashes(workspaceId, ['hash']);
  await stores.suppressions.remove(workspaceId, 'hash');
  for (const kind of ['open', 'click'] as const) {
    await stores.signals.store(
      aSignal(message.id, { kind, at: now, link: kind === 'click' ? 0 : null }),
      workspaceId,
      [],
    );
  }
  await stores.signals.store(aSignal(message.id, { at: now + HOUR }), workspaceId, []);
  await stores.signals.ofMessage(message.id);
  await stores.signals.reasonAt({ messageId: message.id, kind: 'click', at: now, link: 0 });
  await stores.credentials.listKeys(workspaceId);
  await stores.credentials.listLogins(workspaceId);
  await stores.credentials.findKey('hash');
  await stores.domains.list(workspaceId);
  await stores.domains.findByName('x.test');
  await stores.contacts.find(workspaceId, 'a@b.test');
  await stores.contacts.list(workspaceId, { offset: 0, limit: 10 });
  await stores.contacts.rename(workspaceId, sender.contact.id, 'Sari', now);
  await stores.contacts.raiseStatus(workspaceId, sender.contact.id, 'bounced', now);
  await stores.contacts.delete(workspaceId, sender.contact.id);
  await stores.credentials.setPassword('kur000000', { hash: 'hash', sealed: 'sealed' });
  const webhook = (await stores.webhooks.create(aWebhook(workspaceId), 10))!;
  await stores.webhooks.list(workspaceId);
  await stores.webhooks.delete(workspaceId, webhook.id);
  await stores.queue.waiting(workspaceId, now, 10);
  await stores.leases.list();
  await stores.operatorLog.append({ at: now, actor: 'me', action: 'key show', target: 'x', workspaceId });
  await stores.operatorLog.list(10);
  await exerciseRecords(stores, now);
  await exerciseMarketing(stores, sender);
  await log.lag('coins');
  await log.behindSince('coins');
  await log.parked(10);
  await log.redrive(1);
  await log.trim(now, 10);
}
