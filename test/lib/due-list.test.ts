import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueList } from '../../lib/due-list';

describe('DueList', () => {
  it('gives what is due in order of time, each once, at its last time', () => {
    const list = new DueList<string>();
    for (const [key, at] of [
      [1, 30],
      [2, 10],
      [3, 20],
      [2, 40],
    ] as const)
      list.set(key, at, `at ${at}`);
    expect([list.nextAt, list.get(2), list.get(4)]).toEqual([20, { key: 2, at: 40, value: 'at 40' }, undefined]);
    expect(list.take(35)).toEqual([3, 1]);
    expect([list.delete(1), list.delete(2), list.nextAt, list.take(99)]).toEqual([false, true, Infinity, []]);
  });

  it('is a list that is sorted at every look, whatever is set and removed', () => {
    const step = fc.record({ key: fc.nat(40), at: fc.nat(100), kind: fc.constantFrom('set', 'set', 'delete', 'take') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const list = new DueList<null>();
        const model = new Map<number, number>();
        for (const { key, at, kind } of steps) {
          if (kind === 'set') {
            list.set(key, at, null);
            model.set(key, at);
          } else if (kind === 'delete') {
            expect(list.delete(key)).toBe(model.delete(key));
          } else {
            const due = [...model].filter(([, time]) => time <= at / 4).map(([each]) => each);
            const taken = list.take(at / 4);
            expect(taken.map((each) => model.get(each))).toEqual(
              taken.map((each) => model.get(each)).sort((a, b) => a! - b!),
            );
            expect(taken.sort()).toEqual(due.sort());
            for (const each of due) model.delete(each);
          }
          expect(list.nextAt).toBe(Math.min(Infinity, ...model.values()));
        }
        expect(list.keys().sort()).toEqual([...model.keys()].sort());
      }),
    );
  });
});
