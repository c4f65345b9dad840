import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { driveWork } from '../../../consumers/campaigns/drive-work';
import type { DueOutcome } from '../../../consumers/due-work/due-work';
import type { Campaign } from '../../../domain/campaigns/campaign';
import { DRIVE_WORK } from '../../../domain/campaigns/campaign-moves';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import { at } from '../../contract/helpers';
import { Subject } from '../../contract/harness';
import { messagesOf, prepare, progressOf, start, type PrepareOptions } from '../../contract/campaign-runs/support';
import { TEST_START } from '../../support/clock';

const subject = new Subject(openTemporary);
beforeAll(() => subject.open());
afterAll(() => subject.destroy());

function newWork(): ReturnType<typeof driveWork> {
  const { stores, clock } = subject;
  const logger = { info: () => undefined, warn: () => undefined };
  return driveWork({ stores, clock, logger, brakePercent: 8 });
}

/** Takes a turn; `waits` are the times at which time travel stops after it. */
async function turn(
  campaign: Campaign,
  waits: (number | null)[] = [],
  { work = newWork(), attempt = 1 }: { work?: ReturnType<typeof driveWork>; attempt?: number } = {},
): Promise<DueOutcome> {
  const { workspaceId, id } = campaign;
  const task = {
    kind: DRIVE_WORK,
    id: String(id),
    workspaceId,
    lane: '',
    dueAt: 0,
    payload: {},
    attempt,
    token: '',
  };
  const outcome = await work.each(task);
  waits.push(work.travelStop?.() ?? null);
  return outcome;
}

async function started(options: PrepareOptions): Promise<Campaign> {
  const prepared = await prepare(subject, options);
  await start(subject, prepared);
  return prepared.campaign;
}

/** Ends messages of a campaign. */
async function end(campaign: Campaign, from: number, to: number, status: 'bounced' | 'delivered'): Promise<void> {
  const messages = (await messagesOf(subject, campaign)).slice(from, to);
  const hard = status === 'bounced' && { failedReason: '5.1.1', hardBouncedAt: TEST_START };
  const set = { status, dueAt: null, ...hard };
  for (const { id } of messages) {
    await subject.stores.messages.change(id, () => ({ set: { status: 'sending' }, at: TEST_START, records: [] }));
    await subject.stores.messages.change(id, () => ({ set, at: TEST_START, records: [] }));
  }
}

describe('a campaign that is driven', () => {
  test('is listed and fed, then looked at every second until its last message is final', async () => {
    const campaign = await started({ members: 3 });
    const waits: (number | null)[] = [];
    const again = { kind: 'again', next: { dueAt: TEST_START } };
    expect(await turn(campaign, waits)).toEqual(again);
    expect((await progressOf(subject, campaign)).counts).toMatchObject({ recipients: 3, pending: 3 });
    expect(await turn(campaign, waits)).toEqual({ kind: 'again', next: { dueAt: TEST_START + SECOND } });
    await end(campaign, 0, 3, 'delivered');
    expect(await turn(campaign, waits)).toEqual({ kind: 'done' });
    expect((await progressOf(subject, campaign)).campaign.status).toBe('completed');
    // Time travel need not stop for any of it.
    expect(waits).toEqual([null, null, null]);
  });

  // spec: docs/contract.md#campaign-after-the-start: a campaign whose reports are missing costs next to nothing
  test('is looked at ever more seldom while nothing happens: by the minute for room, hourly for reports; and at once again', async () => {
    const campaign = await started({ members: 3 });
    const work = newWork();
    await turn(campaign, [], { work });
    const waitAfter = async (attempt: number): Promise<unknown> => {
      const outcome = await turn(campaign, [], { work, attempt });
      return outcome.kind === 'again' ? [outcome.next.dueAt - TEST_START, outcome.next.attempt] : outcome.kind;
    };
    expect(await waitAfter(1)).toEqual([SECOND, undefined]);
    expect(await waitAfter(2)).toEqual([2 * SECOND, undefined]);
    expect(await waitAfter(30)).toEqual([10 * MINUTE, undefined]);
    await end(campaign, 0, 2, 'delivered');
    expect(await waitAfter(31)).toEqual([SECOND, 0]);
    expect(await waitAfter(5)).toEqual([16 * SECOND, undefined]);
    const [last] = (await messagesOf(subject, campaign)).slice(2);
    const sending = { set: { status: 'sending', dueAt: TEST_START + DAY }, at: TEST_START, records: [] } as const;
    await subject.stores.messages.change(last!.id, () => ({ ...sending }));
    expect(await waitAfter(6)).toEqual([SECOND, 0]);
    expect(await waitAfter(13)).toEqual([HOUR, undefined]);
    // Another process, which saw nothing of it, goes on as seldom.
    const other = await turn(campaign, [], { work: newWork(), attempt: 13 });
    expect(other).toEqual({ kind: 'again', next: { dueAt: TEST_START + HOUR } });
    await end(campaign, 2, 3, 'delivered');
    expect(await waitAfter(14)).toBe('done');
  });

  test('keeps at most 4,000 messages in the queue, and waits for room', async () => {
    const campaign = await started({ members: 4_200, coins: 5_000 });
    for (let n = 0; n < 3; n += 1) await turn(campaign);
    const waits: (number | null)[] = [];
    expect(await turn(campaign, waits)).toEqual({ kind: 'again', next: { dueAt: TEST_START + SECOND } });
    expect(waits).toEqual([TEST_START + SECOND]);
    expect(await progressOf(subject, campaign)).toMatchObject({ queued: 4_000, waitingRows: 200 });
    await end(campaign, 0, 300, 'delivered');
    await turn(campaign);
    expect(await progressOf(subject, campaign)).toMatchObject({ queued: 3_900, waitingRows: 0 });
  });

  // spec: docs/contract.md#the-brake: the campaign pauses and says why
  test('the brake pauses a campaign and says why; after a resumption it counts from there', async () => {
    const campaign = await started({ members: 60 });
    await turn(campaign);
    await end(campaign, 0, 41, 'bounced');
    expect(await turn(campaign)).toEqual({ kind: 'done' });
    const pauseReason = 'Dijeda otomatis: 41 dari 41 email terakhir bounce permanen atau dilaporkan sebagai spam.';
    expect((await progressOf(subject, campaign)).campaign).toMatchObject({ status: 'paused', pauseReason });
    await subject.stores.campaignRuns.move(campaign, { kind: 'resume' }, TEST_START);
    await turn(campaign);
    await end(campaign, 41, 60, 'bounced');
    await turn(campaign);
    expect((await progressOf(subject, campaign)).campaign).toMatchObject({ status: 'completed', pauseReason: null });
  });

  test('a cancelled one is listed to the end, and what waits is ended', async () => {
    const campaign = await started({ members: 5 });
    await subject.stores.campaignRuns.expand(campaign, 2);
    await subject.stores.campaignRuns.feed(campaign, 1, TEST_START);
    await subject.stores.campaignRuns.move(campaign, { kind: 'cancel' }, TEST_START);
    for (let outcome = await turn(campaign); outcome.kind !== 'done';) outcome = await turn(campaign);
    expect((await progressOf(subject, campaign)).counts).toMatchObject({ recipients: 5, failed: 5, pending: 0 });
  });

  test('one that nobody qualified for gets its manifest', async () => {
    const prepared = await prepare(subject, { members: 2, audience: { optInMode: 'double' } });
    await start(subject, prepared, { qualified: 0 });
    const { campaign } = prepared;
    for (let outcome = await turn(campaign); outcome.kind !== 'done';) outcome = await turn(campaign);
    const rows = await subject.stores.campaignRuns.recipients(campaign, 0, 10);
    expect(at(rows, 1)).toMatchObject({ status: 'skipped', reason: 'not_confirmed' });
  });

  test('a paused one, a draft, and one that is not there leave no work', async () => {
    const { campaign } = await prepare(subject);
    expect(await turn(campaign)).toEqual({ kind: 'done' });
    expect(await turn({ ...campaign, id: 999_999 })).toEqual({ kind: 'done' });
  });
});
