import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getMaxListeners } from 'node:events';
import type { EventLog, Position, ReaderHooks } from '../../streams/event-log';
import { sleep } from '../../lib/sleep';
import type { StoredRecord } from '../../streams/records';
import { ok } from '../../streams/results';
import { Runner } from '../../streams/runner';
import { coinRecord } from '../contract/event-log/support';
import { eventually } from '../contract/helpers';
import { storedRecord } from '../support/builders';

const PARTITION = { topic: 'coins.entries', partition: 0 } as const;
const record = (offset: number): StoredRecord => ({
  ...storedRecord('coins.entries', coinRecord('a', offset).value),
  offset,
});

describe('a partition that comes back while its records are still under way', () => {
  let hooks: ReaderHooks;
  let incoming: StoredRecord[];
  let commits: Position[];
  /** What lets the handler of a record go on, in order of beginning. */
  let hands: { offset: number; finish: () => void }[];
  let runner: Runner;

  beforeEach(async () => {
    [incoming, commits, hands] = [[], [], []];
    const log: Pick<EventLog, 'reader'> = {
      reader: async (_group, given = {}) => {
        hooks = given;
        return {
          poll: async (limit, signal) => {
            while (incoming.length === 0 && !signal.aborted) await sleep(5, signal);
            return incoming.splice(0, limit);
          },
          commit: async (positions) => void commits.push(...positions),
          close: () => Promise.resolve(),
        };
      },
    };
    const handle = ({ offset }: StoredRecord) =>
      new Promise<typeof ok>((resolve) => hands.push({ offset, finish: () => resolve(ok) }));
    const handler = { group: 'coins' as const, concurrency: 100, handle };
    runner = new Runner(log as EventLog, handler, { isTransient: () => true });
    await runner.start();
  });
  afterEach(async () => {
    for (const { finish } of hands) finish();
    await runner.stop(1_000);
  });

  const begun = (count: number): Promise<void> => eventually(async () => expect(hands).toHaveLength(count));

  it('is committed behind what is not done, whatever ends late of its former time', async () => {
    incoming.push(record(100));
    await begun(1);
    const handedOver = hooks.onRevoked!([PARTITION]);
    hooks.onAssigned!([PARTITION]);
    incoming.push(record(100), record(101), record(102));
    await begun(4);
    hands[0]!.finish();
    await handedOver;
    incoming.push(record(103));
    await begun(5);
    hands[4]!.finish();
    await sleep(500, new AbortController().signal);
    expect(commits).toEqual([]);
    for (const { finish } of hands) finish();
    await eventually(async () => expect(commits).toEqual([{ ...PARTITION, next: 104 }]));
  });
});

it('lets every record that is tried again wait for the end, without a warning of Node about its listeners', async () => {
  const given: AbortSignal[] = [];
  const log: Pick<EventLog, 'reader'> = {
    reader: async () => ({
      poll: async (_limit, signal) => {
        given.push(signal);
        await sleep(1_000, signal);
        return [];
      },
      commit: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
  };
  const handler = { group: 'coins' as const, concurrency: 100, handle: () => Promise.resolve(ok) };
  const runner = new Runner(log as EventLog, handler, { isTransient: () => true });
  await runner.start();
  await runner.stop(1_000);
  expect(given.map((signal) => getMaxListeners(signal))).toEqual([Infinity]);
});
