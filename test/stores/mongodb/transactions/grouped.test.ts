import { describe, expect, it } from '@jest/globals';
import { ContentionError } from '../../../../stores/mongodb/transactions/contention';
import { Grouped } from '../../../../stores/mongodb/transactions/grouped';
import { GroupedBy } from '../../../../stores/mongodb/transactions/grouped-by';
import { UnavailableError } from '../../../../lib/errors';

/** A commit that notes its batches, and fails for what a case says. */
function committing(failsFor: (batch: readonly number[]) => Error | null = () => null) {
  const batches: number[][] = [];
  const commit = async (batch: readonly number[]): Promise<string[]> => {
    await new Promise(setImmediate);
    batches.push([...batch]);
    const failure = failsFor(batch);
    if (failure) throw failure;
    return batch.map((n) => `done ${n}`);
  };
  return { batches, commit };
}
const submitAll = (group: Grouped<number, string>, count: number) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => group.submit(n)));
const reasons = (outcomes: readonly PromiseSettledResult<string>[]) =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message));

describe('grouped commits', () => {
  it('let callers of one moment share a call, in order of arrival, up to the bound', async () => {
    const { batches, commit } = committing();
    const answers = await submitAll(new Grouped(commit, { maxItems: 4 }), 10);
    expect(batches).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
    expect(reasons(answers)).toEqual(Array.from({ length: 10 }, (_, n) => `done ${n}`));
  });

  it('are bounded by weight too, and let one through that is too heavy for any', async () => {
    const { batches, commit } = committing();
    const weigh = (n: number) => [1, 1, 9, 1, 2, 2][n] ?? 0;
    await submitAll(new Grouped(commit, { maxItems: 100, weigh, maxWeight: 4 }), 6);
    expect(batches).toEqual([[0, 1], [2], [3, 4], [5]]);
  });

  it('fail only for the caller who was to blame', async () => {
    const { batches, commit } = committing((batch) => (batch.includes(1) ? new Error('one is bad') : null));
    const answers = await submitAll(new Grouped(commit, { maxItems: 10 }), 3);
    expect(reasons(answers)).toEqual(['done 0', 'one is bad', 'done 2']);
    expect(batches).toEqual([[0, 1, 2], [0], [1], [2]]);
  });

  it('tell all who wait at once when the store cannot be had', async () => {
    const { batches, commit } = committing(() => new UnavailableError('no primary'));
    const group = new Grouped(commit, { maxItems: 2 });
    expect(reasons(await submitAll(group, 6))).toEqual(Array(6).fill('no primary'));
    expect(batches).toEqual([[0, 1]]);
    expect(reasons(await submitAll(group, 1))).toEqual(['no primary']);
    expect(batches).toHaveLength(2);
  });

  it('tell the rest of a batch at once when the store goes away while each is tried alone', async () => {
    const { batches, commit } = committing((batch) =>
      batch.length > 1 ? new Error('bad') : batch[0] === 1 ? new UnavailableError('no primary') : null,
    );
    const answers = await submitAll(new Grouped(commit, { maxItems: 10 }), 4);
    expect(reasons(answers)).toEqual(['done 0', 'no primary', 'no primary', 'no primary']);
    expect(batches).toEqual([[0, 1, 2, 3], [0], [1]]);
  });

  it('fail only for the one whose data another write holds, and for nobody who comes after it', async () => {
    const { batches, commit } = committing((batch) => (batch.includes(1) ? new ContentionError('held') : null));
    const answers = await submitAll(new Grouped(commit, { maxItems: 3, aloneAtOnce: 2 }), 5);
    expect(reasons(answers)).toEqual(['done 0', 'held', 'done 2', 'done 3', 'done 4']);
    expect(batches).toEqual([[0, 1, 2], [0], [1], [2], [3, 4]]);
  });

  it('do not try one again that was alone already', async () => {
    const { batches, commit } = committing((batch) => (batch.includes(1) ? new ContentionError('held') : null));
    const answers = await submitAll(new Grouped(commit, { maxItems: 1 }), 3);
    expect(reasons(answers)).toEqual(['done 0', 'held', 'done 2']);
    expect(batches).toEqual([[0], [1], [2]]);
  });

  it('say which attempts are alone, and have no more of them at once than may be', async () => {
    let [underWay, most] = [0, 0];
    const alone: boolean[] = [];
    const commit = async (batch: readonly number[], how: { alone: boolean }): Promise<string[]> => {
      alone.push(how.alone);
      if (!how.alone) throw new ContentionError('held');
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return batch.map(String);
    };
    await submitAll(new Grouped(commit, { maxItems: 10, aloneAtOnce: 3 }), 10);
    expect(alone).toEqual([false, ...Array<boolean>(10).fill(true)]);
    expect(most).toBe(3);
    most = 0;
    await submitAll(new Grouped(commit, { maxItems: 10 }), 4);
    expect(most).toBe(1);
  });

  it('stop trying the rest of a batch alone when they have contended for long enough', async () => {
    const { batches, commit } = committing((batch) =>
      batch.length > 1 || batch[0] === 1 ? new ContentionError('held') : null,
    );
    const group = new Grouped(commit, { maxItems: 4, aloneLimit: 0 });
    expect(reasons(await submitAll(group, 5))).toEqual(['done 0', 'held', 'held', 'held', 'done 4']);
    expect(batches).toEqual([[0, 1, 2, 3], [0], [1], [4]]);
  });

  it('tell all who wait when a commit is never answered, and go on with whoever comes then', async () => {
    const { commit } = committing();
    const neverFirst = (batch: readonly number[]) =>
      batch.includes(0) ? new Promise<string[]>(() => {}) : commit(batch);
    const group = new Grouped(neverFirst, { maxItems: 2, answerLimit: 20 });
    const answers = await Promise.allSettled([0, 1, 2].map((n) => group.submit(n)));
    expect(reasons(answers)).toEqual(Array(3).fill('not done in 20 ms'));
    expect(answers.every((one) => one.status === 'rejected' && one.reason instanceof UnavailableError)).toBe(true);
    expect(await group.submit(3)).toBe('done 3');
  });

  it('answer all who wait before they close, and refuse whoever comes later', async () => {
    const { commit } = committing();
    const group = new Grouped(commit, { maxItems: 1 });
    const early = submitAll(group, 3);
    await group.close();
    expect(reasons(await early)).toEqual(['done 0', 'done 1', 'done 2']);
    await expect(group.submit(9)).rejects.toBeInstanceOf(UnavailableError);
  });

  it('of different keys do not wait for each other', async () => {
    let answer: (values: string[]) => void = () => undefined;
    const hanging = new Promise<string[]>((resolve) => (answer = resolve));
    const groups = new GroupedBy<string, number, string>(
      (key, items) => (key === 'hangs' ? hanging : Promise.resolve(items.map(String))),
      { maxItems: 10 },
    );
    const late = groups.submit('hangs', 1);
    expect(await groups.submit('works', 2)).toBe('2');
    expect(await groups.submit('works', 3)).toBe('3');
    answer(['1']);
    expect(await late).toBe('1');
  });
});
