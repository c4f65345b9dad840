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

/** A log over `incoming`, whose reader takes note of what is committed. */
function logOver(
  incoming: StoredRecord[],
  commits: Position[],
  onHooks: (hooks: ReaderHooks) => void = () => undefined,
) {
  const reader: EventLog['reader'] = async (_group, given = {}) => {
    onHooks(given);
    return {
      poll: async (limit, signal) => {
        while (incoming.length === 0 && !signal.aborted) await sleep(5, signal);
        return incoming.splice(0, limit);
      },
      commit: async (positions) => void commits.push(...positions),
      close: () => Promise.resolve(),
    };
  };
  return { reader };
}

/** Starts the coins group over this log. */
async function started(log: Partial<EventLog>, handle: (record: StoredRecord) => Promise<typeof ok>): Promise<Runner> {
  const handler = { group: 'coins' as const, concurrency: 100, handle };
  const runner = new Runner(log as EventLog, handler, { isTransient: () => true });
  await runner.start();
  return runner;
}

describe('a partition that comes back while its records are still under way', () => {
  let hooks: ReaderHooks;
  let incoming: StoredRecord[];
  let commits: Position[];
  /** What lets the handler of a record go on, in order of beginning. */
  let hands: { offset: number; finish: () => void }[];
  let runner: Runner;

  beforeEach(async () => {
    [incoming, commits, hands] = [[], [], []];
    const handle = ({ offset }: StoredRecord) =>
      new Promise<typeof ok>((resolve) => hands.push({ offset, finish: () => resolve(ok) }));
    runner = await started(
      logOver(incoming, commits, (given) => (hooks = given)),
      handle,
    );
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

it('leaves a record that waits for another try to the next reader of its partition, and does not commit it', async () => {
  let hooks: ReaderHooks = {};
  const incoming = [record(100), record(101)];
  const commits: Position[] = [];
  let tries = 0;
  const handle = async ({ offset }: StoredRecord): Promise<typeof ok> => {
    if (offset === 100) return ok;
    tries += 1;
    throw new Error('not now');
  };
  const log = logOver(incoming, commits, (given) => (hooks = given));
  const runner = await started(log, handle);
  await eventually(async () => expect(tries).toBeGreaterThan(2));
  await hooks.onRevoked!([PARTITION]);
  expect(commits.at(-1)).toEqual({ ...PARTITION, next: 101 });
  const before = tries;
  await sleep(200);
  expect(tries).toBe(before);
  await runner.stop(1_000);
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
  const runner = await started(log, () => Promise.resolve(ok));
  await runner.stop(1_000);
  expect(given.map((signal) => getMaxListeners(signal))).toEqual([Infinity]);
});

describe('a record that no handler should see', () => {
  let commits: Position[];
  let parked: { offset: number; version: number; reason: string }[];
  let handled: unknown[];

  /** Runs the coins group over these records, until all are committed. */
  const play = async (...records: StoredRecord[]): Promise<void> => {
    [commits, parked, handled] = [[], [], []];
    const incoming = [...records];
    let refused = false;
    const log: Pick<EventLog, 'reader' | 'park'> = {
      ...logOver(incoming, commits),
      park: async ({ offset, version }, _group, reason) => {
        // Not now, the first time: the record waits and is not lost.
        if (!refused) {
          refused = true;
          throw new Error('not now');
        }
        parked.push({ offset, version, reason });
      },
    };
    const handle = async (given: StoredRecord) => {
      handled.push({ version: given.version, value: given.value });
      return ok;
    };
    const runner = await started(log, handle);
    const next = records.at(-1)!.offset + 1;
    await eventually(async () => expect(commits.at(-1)).toEqual({ ...PARTITION, next }));
    await runner.stop(1_000);
  };

  it('because its version is unknown or its value fails the schema is parked as it was, with the reason', async () => {
    const wrong = { ...record(2), value: { id: 'x' } };
    await play({ ...record(1), version: 9 }, wrong, record(3));
    expect(parked.sort((a, b) => a.offset - b.offset)).toEqual([
      { offset: 1, version: 9, reason: 'version 9 of coins.entries is unknown; this program reads 1 to 1' },
      { offset: 2, version: 1, reason: expect.stringContaining('"workspaceId" is required') as unknown },
    ]);
    expect(handled).toEqual([{ version: 1, value: coinRecord('a', 3).value }]);
  });

  it('because it is for another group is passed over, and one for this group is handled', async () => {
    await play({ ...record(1), forGroup: 'engagement' }, { ...record(2), forGroup: 'coins' });
    expect(handled).toEqual([{ version: 1, value: coinRecord('a', 2).value }]);
    expect(parked).toEqual([]);
  });

  it('at the end of the log is committed too', async () => {
    await play(record(1), { ...record(2), forGroup: 'engagement' });
    expect(handled).toHaveLength(1);
  });
});
