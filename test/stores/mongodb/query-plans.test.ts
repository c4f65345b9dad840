import { beforeAll, expect, it } from '@jest/globals';
import type { CommandStartedEvent, Document } from 'mongodb';
import { mongoStores } from '../../../stores/mongodb/stores';
import { openMongo } from '../../../stores/mongodb/database/client';
import { prepareCollections } from '../../../stores/mongodb/database/prepare';
import { HOUR } from '../../../lib/clock';
import type { Stores } from '../../../stores/ports';
import type { MessageSearch } from '../../../stores/ports/message-finder';
import type { MessageFilter } from '../../../stores/ports/message-store';
import {
  aContact,
  acceptMessage,
  acceptOne,
  anAcceptance,
  aSignal,
  aSuppression,
  aWebhook,
  createSender,
  refundRecord,
} from '../../support/builders';
import { frozenClock, TEST_START as NOW } from '../../support/clock';
import { describeOn, uniqueName } from '../../support/real-services';
import { at, atOnce, eventually, present } from '../../contract/helpers';
import { exerciseDueTasks, fillDueTasks } from '../exercise-due-tasks';
import { exerciseMarketing, fillMarketing } from '../exercise-marketing';
import { FlakyLog } from './support';
import { readShared } from '../../../stores/mongodb/queue/shared-state';
import { exerciseRecords } from '../exercise-records';

/** Read whole on purpose by the operator, or a list of what is left to do that is nearly always empty. */
const MAY_BE_SCANNED = new Set(['workspaces', 'leases', 'parked', 'anonymising', 'meta']);
/** Commands with a plan. */
const PLANNED = new Set(['find', 'aggregate', 'count', 'distinct', 'update', 'delete', 'findAndModify']);
/** Messages of each workspace; more than any query may look at to answer little. */
const MESSAGES = 150;
/** The same of members, enrollments and conversions. */
const MARKETING = 40;

interface Plan {
  command: Document;
  stages: string[];
  indexes: string[];
  keys: number;
  documents: number;
  returned: number;
}

describeOn(['mongodb'], 'the queries on MongoDB', ({ mongodb }) => {
  const commands = new Map<string, Document>();
  const plans: Plan[] = [];
  const planOf = (wanted: (command: Document) => boolean): Plan =>
    present(plans.find(({ command }) => wanted(command)));

  beforeAll(async () => {
    const url = `${mongodb}${mongodb.includes('?') ? '&' : '/?'}monitorCommands=true`;
    const mongo = await openMongo({ url, database: uniqueName() });
    await prepareCollections(mongo.db);
    const log = new FlakyLog();
    const { stores, sweeper, close } = mongoStores(mongo, {
      clock: frozenClock(),
      publish: log.publish,
      sweepEvery: 20,
    });
    await fill(stores);
    const note = ({ command }: CommandStartedEvent): void => noteCommand(commands, command);
    mongo.client.on('commandStarted', note);
    log.mood = 'refuses';
    await exercise(stores);
    await readShared(mongo, ['processes', 'partitions']);
    log.mood = 'works';
    sweeper.start();
    await eventually(async () => expect([...commands.keys()].some((text) => text.includes('"sweep"'))).toBe(true));
    await close();
    mongo.client.off('commandStarted', note);
    for (const command of commands.values()) plans.push(await explain(mongo.db, command));
    await mongo.db.dropDatabase();
    await mongo.close();
  });

  it('have an index each: no plan scans a collection that grows, and none sorts', () => {
    expect(plans.length).toBeGreaterThan(50);
    const bad = plans.filter(
      ({ command, stages }) =>
        (stages.includes('COLLSCAN') && !MAY_BE_SCANNED.has(collectionOf(command))) || stages.includes('SORT'),
    );
    expect(bad.map(({ command, stages }) => `${stages.join(' ')}: ${JSON.stringify(command)}`)).toEqual([]);
  });

  it('look at no more keys and documents than they answer, but for a few', () => {
    const wasteful = plans.filter(
      ({ command, keys, documents, returned }) =>
        !MAY_BE_SCANNED.has(collectionOf(command)) && Math.max(keys, documents) > 2 * returned + 12,
    );
    expect(
      wasteful.map(({ command, keys, documents, returned }) => ({
        command: JSON.stringify(command),
        keys,
        documents,
        returned,
      })),
    ).toEqual([]);
  });

  it('of the throttle go through the index of the queue, and step over the workspaces in it', () => {
    const waiting = planOf(
      ({ aggregate, pipeline }) => aggregate === 'messages' && JSON.stringify(pipeline).includes('$sort'),
    );
    expect(waiting.stages).toContain('DISTINCT_SCAN');
    expect(waiting.stages).not.toContain('FETCH');
    const due = planOf(({ find, limit, hint }) => find === 'messages' && limit === 1 && hint === 'messages_queued');
    expect([due.keys, due.documents, due.stages.includes('FETCH')]).toEqual([1, 0, false]);
    const recent = planOf(({ find, filter }) => find === 'messages' && 'claimedAt' in (filter as Document));
    expect(recent.indexes).toEqual(['messages_by_last_claim']);
  });

  it('of long lists find total and page in an index alone, and read the items of the page only', () => {
    const uncounted = planOf(({ aggregate, hint }) => aggregate === 'contacts' && hint === 'contacts_uncounted');
    expect([uncounted.indexes, uncounted.documents]).toEqual([['contacts_uncounted'], 0]);
    const blocks = planOf(({ find }) => find === 'listBlocks');
    expect(blocks.indexes).toEqual(['list_blocks_in_order']);
    const page = planOf(({ find, limit }) => find === 'contacts' && limit === 10);
    expect(page.indexes).toEqual(['contacts_of_workspace']);
    for (const index of ['messages_of_workspace', 'messages_by_channel', 'messages_by_status_and_time']) {
      const total = planOf(({ aggregate, hint }) => aggregate === 'messages' && hint === index);
      const ids = planOf(({ find, hint }) => find === 'messages' && hint === index);
      expect([total.indexes, total.documents, ids.indexes, ids.documents]).toEqual([[index], 0, [index], 0]);
    }
  });

  // spec: docs/contract.md#list-of-messages: a search has an index
  it('of a search merge the ranges of the channels, and read no more of them than they answer', () => {
    const searches = plans.filter(({ command }) =>
      ['messages_by_channel', 'messages_to_contact'].includes(String(command['hint'])),
    );
    expect(searches.length).toBeGreaterThan(6);
    expect(searches.some(({ stages }) => stages.includes('SORT_MERGE'))).toBe(true);
    expect(searches.filter(({ stages }) => stages.includes('SORT'))).toEqual([]);
  });

  // spec: docs/contract.md#batch-status-check: status look-ups and the batch check use their index
  it('of a status look-up and of the batch check go by the ids', () => {
    const one = planOf(({ find, filter }) => find === 'messages' && typeof (filter as Document)['_id'] === 'string');
    const batch = planOf(({ find, filter, sort }) => {
      const id = (filter as Partial<Document> | undefined)?.['_id'] as Document | undefined;
      return find === 'messages' && Array.isArray(id?.['$in']) && sort === undefined;
    });
    for (const { indexes, stages, keys, documents } of [one, batch]) {
      expect(stages.some((stage) => /IDHACK|IXSCAN|EXPRESS/.test(stage))).toBe(true);
      expect([indexes.filter((index) => index !== '_id_'), keys <= 2, documents]).toEqual([[], true, 1]);
    }
  });

  it('of engagement add up in the index alone', () => {
    const sums = plans.filter(
      ({ command, stages }) => command['aggregate'] === 'engagement' && !stages.includes('EOF'),
    );
    expect(sums.map(({ indexes, documents }) => [indexes, documents])).toEqual([
      [['engagement_of_workspace'], 0],
      [['engagement_people'], 0],
      [['engagement_of_workspace'], 0],
      [['engagement_people'], 0],
    ]);
  });

  it('of due tasks go through the indexes made for them, and step over the lanes in theirs', () => {
    const lanes = planOf(({ aggregate }) => aggregate === 'dueTasks');
    expect([lanes.stages.includes('DISTINCT_SCAN'), lanes.documents]).toEqual([true, 0]);
    const next = planOf(({ find, hint, limit }) => find === 'dueTasks' && hint === 'due_tasks_ready' && limit === 1);
    expect([next.indexes, next.keys, next.documents]).toEqual([['due_tasks_ready'], 1, 0]);
    const claimed = plans.filter(
      ({ command }) => command['find'] === 'dueTasks' && '$lte' in Object(command['filter'].readyAt),
    );
    expect(new Set(claimed.flatMap(({ indexes }) => indexes))).toEqual(
      new Set(['due_tasks_ready', 'due_tasks_of_lane']),
    );
    expect(claimed.filter(({ documents }) => documents > 0)).toEqual([]);
  });

  it('of the backlog count in the index alone', () => {
    const backlog = planOf(
      ({ aggregate, pipeline }) => aggregate === 'messages' && JSON.stringify(pipeline).includes('"stage":"claimed"'),
    );
    expect([backlog.indexes, backlog.documents]).toEqual([['messages_by_stage'], 0]);
  });
});

/** The first field of a command is its name, with the collection. */
const collectionOf = (command: Document): string => String(Object.values(command)[0]);

/** Keeps one of each shape that has a plan, without what belongs to the session it ran in. */
function noteCommand(commands: Map<string, Document>, command: Document): void {
  const name = Object.keys(command)[0];
  // What is asked of the server itself has no plan.
  if (name === undefined || !PLANNED.has(name) || command['$db'] === 'admin') return;
  const {
    lsid: _lsid,
    txnNumber: _txn,
    autocommit: _autocommit,
    startTransaction: _start,
    $clusterTime: _time,
    $db: _db,
    readConcern: _concern,
    writeConcern: _write,
    updates,
    deletes,
    ...rest
  } = command;
  for (const part of parts(rest, updates as Document[] | undefined, deletes as Document[] | undefined)) {
    const key = shapeOf(part);
    if (!commands.has(key)) commands.set(key, part);
  }
}

/** Only one update or delete can be explained at a time. */
function parts(rest: Document, updates?: readonly Document[], deletes?: readonly Document[]): Document[] {
  if (updates) return updates.map((update) => ({ ...rest, updates: [update] }));
  if (deletes) return deletes.map((one) => ({ ...rest, deletes: [one] }));
  return [rest];
}

/** The command with every value but names of indexes and statuses taken out. */
const shapeOf = (command: Document): string =>
  JSON.stringify(command, (_, value: unknown) => (typeof value === 'number' ? 0 : value)).replace(
    /"[0-9a-f]{8}-[0-9a-f-]{20,}[^"]*"|"[0-9a-f]{24,}"/g,
    '"id"',
  );

/** Every object in an answer, but for the plans that were not chosen. */
function* objectsIn(value: unknown): Generator<Document> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const [field, inner] of Object.entries(value)) {
    if (!['rejectedPlans', 'allPlansExecution', 'command'].includes(field)) yield* objectsIn(inner);
  }
}

async function explain(db: { command(command: Document): Promise<Document> }, command: Document): Promise<Plan> {
  const objects = [...objectsIn(await db.command({ explain: command, verbosity: 'executionStats' }))];
  const all = (field: string): unknown[] =>
    objects.map((one) => one[field] as unknown).filter((value) => value !== undefined);
  const distinct = (field: string): string[] => [...new Set(all(field).map(String))];
  const executions = objects.filter(({ totalKeysExamined }) => totalKeysExamined !== undefined);
  const sum = (field: string): number => executions.reduce((total, one) => total + Number(one[field]), 0);
  // Of a write the documents it would touch are what it answers.
  const touched = [...all('nWouldModify'), ...all('nWouldDelete')].map(Number);
  return {
    command,
    stages: distinct('stage'),
    indexes: distinct('indexName'),
    keys: sum('totalKeysExamined'),
    documents: sum('totalDocsExamined'),
    returned: Math.max(sum('nReturned'), ...touched),
  };
}

/** Three workspaces, each with more of everything than a query may look at. */
async function fill(stores: Stores): Promise<void> {
  await fillDueTasks(stores, NOW, MARKETING);
  for (const sender of await atOnce(3, () => createSender(stores))) {
    await atOnce(MESSAGES, (n) =>
      acceptOne(stores.messages, {
        ...anAcceptance(sender, { idempotencyKey: `fill ${n}`, attachmentsUntil: NOW + n }),
        recipient: { address: aContact(sender.workspace.id) },
      }),
    );
    await fillMarketing(stores, sender, MARKETING);
    const epoch = present(await stores.leases.acquire(`fill ${sender.workspace.id}`, 'me', NOW, 1_000));
    const lease = { name: `fill ${sender.workspace.id}`, owner: 'me', epoch };
    await stores.queue.claim(aClaim(sender.workspace.id, lease, 90));
  }
}

const aClaim = (workspaceId: number, lease: { name: string; owner: string; epoch: number }, limit: number) => ({
  workspaceId,
  lane: 'transactional' as const,
  limit,
  now: NOW,
  leaseUntil: NOW + 1_000,
  lease,
  day: '2026-01-05',
  workspaceDayCap: 5_000,
  platformDayCap: 5_000,
});

/** Calls every member of every port once, as embedded engine's test of plans does. */
async function exercise(stores: Stores): Promise<void> {
  const sender = await createSender(stores);
  const { id: workspaceId } = sender.workspace;
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') };
  const message = await acceptMessage(stores, sender, { attachments: [file], attachmentsUntil: NOW });
  await stores.messages.accept([
    {
      ...anAcceptance(sender, { idempotencyKey: 'key' }),
      recipient: { address: aContact(workspaceId) },
    },
  ]);
  await exerciseMessages(stores, workspaceId, message.id);
  await exerciseQueue(stores, workspaceId);
  await exerciseOthers(stores, workspaceId, message.id);
  await exerciseDueTasks(stores, NOW);
  await exerciseMarketing(stores, sender);
  await stores.contacts.find(workspaceId, 'a@b.test');
  await stores.contacts.list(workspaceId, { offset: 0, limit: 10 });
  await stores.contacts.rename(workspaceId, sender.contact.id, 'Sari', NOW);
  await stores.contacts.raiseStatus(workspaceId, sender.contact.id, 'bounced', NOW);
  await stores.contacts.delete(workspaceId, sender.contact.id);
}

const SEARCHES: readonly MessageFilter[] = [
  { engagement: 'opened' },
  { engagement: 'clicked-by-machines', since: 1, until: 4_000_000_000_000 },
  { engagement: 'complained', since: 1 },
  { status: 'sent', since: 1 },
  { since: NOW },
  { since: NOW, until: NOW },
  { channel: 'api' },
  { since: NOW, channel: 'api', status: 'queued' },
  { since: NOW, status: 'queued' },
  { contactId: 1 },
  { contactId: 1, since: NOW, channel: 'api', status: 'queued' },
];

const LOOKED_AT: readonly Omit<MessageSearch, 'limit'>[] = [
  {},
  { subject: 'x', metadata: { key: 'a', value: '1' }, domainId: 1, toDomain: 'a.example' },
  { campaign: { id: 1, sentAt: NOW } },
  { subject: 'x', after: { id: 'x', at: NOW } },
];

async function exerciseMessages(
  { messages, messageHours, messageFinder, signals }: Stores,
  workspaceId: number,
  id: string,
): Promise<void> {
  for (const query of [{}, { status: 'queued' as const }])
    await messages.list(workspaceId, { ...query, offset: 0, limit: 10 });
  for (const search of SEARCHES) await messages.list(workspaceId, { ...search, offset: 0, limit: 10 });
  await messages.findByIdempotencyKey(workspaceId, 'key');
  await messages.getMany(workspaceId, [id]);
  await messages.job(id);
  await messages.links(id);
  await messageHours.between(workspaceId, 0, 3_600_000);
  for (const search of [...SEARCHES, ...LOOKED_AT]) await messageFinder.find(workspaceId, { ...search, limit: 10 });
  await messages.history(id);
  await messages.attempts(id);
  const records = [refundRecord({ id, workspaceId }, 1)];
  const attempt = { outcome: 'not_sent' as const };
  await messages.change(id, () => ({ set: { failedReason: 'x' }, at: NOW, attempt, links: [], records }));
  await messages.change(id, () => ({ set: {}, at: NOW, dropAttachments: true, records: [] }));
  await signals.store(aSignal(id), workspaceId, records);
  await signals.store(aSignal(id, { kind: 'click', link: 0, at: NOW + HOUR }), workspaceId, []);
  await signals.ofMessage(id);
  await signals.reasonAt({ messageId: id, kind: 'click', at: NOW, link: 0 });
}

async function exerciseQueue(
  { leases, wakeups, queue, backlogs, deadlines }: Stores,
  workspaceId: number,
): Promise<void> {
  const epoch = present(await leases.acquire('throttle/0', 'me', NOW, 1_000));
  await leases.renew('throttle/0', 'me', epoch, NOW, 1_000);
  await leases.renewAll([{ name: 'throttle/0', epoch }], 'me', NOW, 1_000);
  const waiting = at(await queue.workspacesWaiting(0, 5), 0);
  await queue.nextDue(waiting);
  await queue.waiting(waiting, NOW, 10);
  await queue.recentClaims(waiting, 0, 10);
  await backlogs.claimed(10);
  await queue.backlogByClass(10);
  await wakeups.write([{ workspaceId, shard: 0, epoch, wakeup: { at: NOW, kind: 'turn' } }]);
  await wakeups.list([0, 1], { at: 0, workspaceId: 0 }, NOW, 10);
  await wakeups.find([workspaceId]);
  await wakeups.write([{ workspaceId, shard: 0, epoch, wakeup: null }]);
  await deadlines.overdue(NOW + 9_000, 10);
  await deadlines.pastFence(10);
  await deadlines.unknown(0, 10);
  await deadlines.unfenced(NOW + 9_000, 10);
  await deadlines.attachmentsExpired(NOW + 9_000, 10);
  await deadlines.nextDeadline();
  const lease = { name: 'throttle/0', owner: 'me', epoch };
  await queue.claim(aClaim(waiting, lease, 10));
  await queue.claim(aClaim(workspaceId, lease, 10));
  await queue.claimsOn('2026-01-05', null);
  await leases.release('throttle/0', 'me', epoch);
  await leases.list();
}

async function exerciseOthers(stores: Stores, workspaceId: number, id: string): Promise<void> {
  for (const since of [null, NOW]) {
    await stores.engagement.top(workspaceId, { by: 'opens', since, audienceId: null, offset: 0, limit: 10 });
  }
  await stores.coins.ofMessage(workspaceId, id);
  await stores.coins.rows(workspaceId, 0, 10);
  await stores.coins.newest(workspaceId, 10);
  await stores.coins.account(workspaceId);
  await stores.suppressions.reason(workspaceId, 'hash');
  await stores.suppressions.list(workspaceId, 10);
  await stores.suppressions.list(workspaceId, 10, { addressHash: 'a', reason: 'b' });
  await stores.suppressions.add(aSuppression({ workspaceId }));
  await stores.suppressions.page(workspaceId, { offset: 0, limit: 10 });
  await stores.suppressions.page(workspaceId, { reason: 'manual', offset: 0, limit: 10 });
  await stores.contacts.findByHashes(workspaceId, ['hash', 'other']);
  await stores.suppressions.remove(workspaceId, 'hash');
  await stores.credentials.listKeys(workspaceId);
  await stores.credentials.listLogins(workspaceId);
  await stores.credentials.findKey('hash');
  await stores.credentials.setPassword('kur000000', { hash: 'hash', sealed: 'sealed' });
  await stores.domains.list(workspaceId);
  await stores.domains.findByName('x.test');
  const webhook = present(await stores.webhooks.create(aWebhook(workspaceId), 10));
  await stores.webhooks.list(workspaceId);
  await stores.webhooks.delete(workspaceId, webhook.id);
  await stores.workspaces.list();
  await stores.operatorLog.append({ at: NOW, actor: 'me', action: 'key show', target: 'x', workspaceId });
  await stores.operatorLog.list(10);
  await exerciseRecords(stores, NOW);
}
