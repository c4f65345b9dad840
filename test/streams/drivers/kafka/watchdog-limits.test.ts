import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { FeedOwner } from '../../../../streams/drivers/kafka/client';
import { AT_OLDEST } from '../../../../streams/drivers/kafka/group-start';
import { KafkaReader } from '../../../../streams/drivers/kafka/kafka-reader';
import { HAND_OVER_LIMIT } from '../../../../streams/drivers/kafka/options';
import { Watchdog, type GroupView } from '../../../../streams/drivers/kafka/watchdog';
import { partitionKey } from '../../../../streams/topics';

const LIMIT = 30_000;
const STEP = 1_000;

const partition = (number: number) => ({ topic: 'coins.entries' as const, partition: number });

/** Partition 0 is the reader's and read to its end; records wait in partition 1. */
const view = (over: Partial<GroupView>): GroupView => ({
  partitions: [
    { ...partition(0), next: 0, end: 0 },
    { ...partition(1), next: 0, end: 5 },
  ],
  unassigned: new Set(),
  settled: true,
  ...over,
});
const handedOver = view({ unassigned: new Set([partitionKey(partition(1))]) });
const another = view({});
/** While the members are being told their partitions nobody can say which one is left alone. */
const beingTold = view({ settled: false });
const stuck = view({ partitions: [{ ...partition(0), next: 0, end: 5 }] });

let time: number;
let looks: number;
let seen: GroupView;
let restartedAt: number[];
let fatal: Error[];
let reader: KafkaReader;
let watchdog: Watchdog;
let polling: Promise<unknown>;

beforeEach(() => {
  [time, looks, seen, restartedAt, fatal] = [0, 0, another, [], []];
  const open = (owner: FeedOwner) => ({
    start: () => Promise.resolve(owner.assigned([partition(0)])),
    commit: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
  reader = new KafkaReader(open, {}, () => {}, AT_OLDEST);
  polling = reader.poll(1, new AbortController().signal);
  watchdog = new Watchdog({
    every: 1,
    limit: LIMIT,
    monotonic: () => time,
    look: () => {
      looks += 1;
      return Promise.resolve(seen);
    },
    onRestart: () => restartedAt.push(time),
    onFatal: (error) => fatal.push(error),
  });
  watchdog.watch('coins', reader);
});
afterEach(async () => {
  await watchdog.close();
  await reader.close();
  await polling;
});

/** The watchdog sees this for `span` ms of its time, with a look at each step; two looks make sure that one judged. */
async function pass(what: GroupView, span: number): Promise<void> {
  seen = what;
  for (let gone = 0; gone < span; gone += STEP) {
    // A reader that was restarted is told its partition anew.
    while (!reader.state().places.has(partitionKey(partition(0)))) await setImmediate();
    time += STEP;
    const before = looks;
    while (looks <= before + 1) await setImmediate();
  }
}

it('leaves an idle reader alone while a partition is handed over twice in a row', async () => {
  await pass(handedOver, 2 * HAND_OVER_LIMIT + LIMIT / 3);
  await pass(another, STEP);
  await pass(handedOver, 2 * HAND_OVER_LIMIT + LIMIT / 3);
  expect([restartedAt, fatal]).toEqual([[], []]);
});

it('restarts a reader when a partition stays with nobody', async () => {
  await pass(handedOver, 3 * HAND_OVER_LIMIT + 2 * STEP);
  expect(restartedAt).toEqual([3 * HAND_OVER_LIMIT + STEP]);
});

it('restarts a reader that is stuck on its own partition sooner, whatever was handed over before', async () => {
  await pass(handedOver, LIMIT);
  await pass(stuck, LIMIT);
  expect(restartedAt).toEqual([]);
  await pass(stuck, STEP);
  expect(restartedAt).toEqual([2 * LIMIT + STEP]);
});

it('ends the process when the reader is stuck again soon after it was restarted, or while nobody can tell', async () => {
  await pass(stuck, LIMIT + STEP);
  await pass(another, LIMIT / 2);
  await pass(beingTold, 2 * LIMIT);
  await pass(stuck, LIMIT + STEP);
  expect([restartedAt.length, fatal.length]).toEqual([1, 1]);
});

it('restarts a reader once more that was in good order for a while since', async () => {
  await pass(stuck, LIMIT + STEP);
  await pass(another, LIMIT + STEP);
  await pass(stuck, LIMIT + STEP);
  expect([restartedAt.length, fatal]).toEqual([2, []]);
});
