import { describe, expect, it } from '@jest/globals';
import { ReadySet } from '../../../consumers/throttle/ready-set';

const BOTH = { transactional: true, bulk: true };
const all = (): boolean => true;

describe('workspaces that wait for their turn', () => {
  it('go in the order of coming, those with transactional mail eight times of ten', () => {
    const ready = new ReadySet();
    for (let id = 1; id <= 100; id += 1) ready.add(id, id <= 50 ? 'bulk' : 'transactional');
    const turns = Array.from({ length: 20 }, () => {
      const next = ready.next(all, BOTH)!;
      ready.delete(next.id);
      return next;
    });
    expect(turns.filter(({ mails }) => mails === 'bulk').map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(turns.filter(({ mails }) => mails === 'transactional').map(({ id }) => id)).toEqual(
      Array.from({ length: 16 }, (_, n) => 51 + n),
    );
  });

  it('pass a line that has no room, and those that may not', () => {
    const ready = new ReadySet();
    ready.add(1, 'bulk');
    ready.add(2, 'bulk');
    expect(ready.next(all, { transactional: true, bulk: false })).toBeUndefined();
    expect(ready.next((id) => id !== 1, BOTH)).toEqual({ id: 2, mails: 'bulk' });
  });

  it('change the line when transactional mail comes, and do not change back for bulk mail', () => {
    const ready = new ReadySet();
    ready.add(1, 'bulk');
    ready.add(1, 'transactional');
    ready.add(1, 'bulk');
    expect([ready.size, ready.waiting]).toEqual([1, { transactional: true, bulk: false }]);
    expect(ready.next(all, { transactional: true, bulk: false })).toEqual({ id: 1, mails: 'transactional' });
    expect([ready.delete(1), ready.delete(1), ready.has(1), ready.size]).toEqual([true, false, false, 0]);
  });
});
