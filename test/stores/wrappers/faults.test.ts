import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../lib/errors';
import { Faults, type Fault, type FaultRule } from '../../../stores/wrappers/faults';
import { faultyPort } from '../../../stores/wrappers/faulty-port';

interface Counter {
  add(n: number): Promise<number>;
  total(): Promise<number>;
}

function setUp(rules: FaultRule[]) {
  const seen = { total: 0, crashes: 0, pauses: [] as number[] };
  const faults = new Faults(rules, {
    crash: () => void (seen.crashes += 1),
    error: (operation) => new UnavailableError(operation),
    pause: async (ms) => void seen.pauses.push(ms),
  });
  const port: Counter = {
    add: async (n) => (seen.total += n),
    total: async () => seen.total,
  };
  return { seen, faults, counter: faultyPort(port, 'counter', faults, { add: (n: number) => String(n) }) };
}

const onAdd = (fault: Fault, nth = 1): FaultRule => ({ operation: 'counter.add', nth, fault });
const settled = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(() => resolve('never'), 20))]);

describe('a port with faults', () => {
  it('works as without them until the call the plan names', async () => {
    const { counter } = setUp([onAdd({ kind: 'error', when: 'before' }, 3)]);
    expect(await counter.add(1)).toBe(1);
    expect(await counter.add(1)).toBe(2);
    await expect(counter.add(1)).rejects.toThrow(UnavailableError);
    expect(await counter.add(1)).toBe(3);
  });

  it('throws before the work, which is then not done, or after it, which then is', async () => {
    const { counter, seen } = setUp([
      onAdd({ kind: 'error', when: 'before' }),
      onAdd({ kind: 'error', when: 'after' }, 2),
    ]);
    await expect(counter.add(1)).rejects.toThrow('counter.add');
    expect(seen.total).toBe(0);
    await expect(counter.add(1)).rejects.toThrow('counter.add');
    expect(seen.total).toBe(1);
  });

  it('crashes before or after the work, and then nothing ever comes back', async () => {
    for (const [when, total] of [['before', 0] as const, ['after', 5] as const]) {
      const { counter, seen } = setUp([onAdd({ kind: 'crash', when })]);
      expect(await settled(counter.add(5))).toBe('never');
      expect(seen).toMatchObject({ crashes: 1, total });
      expect(await settled(counter.total())).toBe('never');
    }
  });

  it('does the work twice and answers with the first', async () => {
    const { counter, seen } = setUp([onAdd({ kind: 'twice' })]);
    expect(await counter.add(2)).toBe(2);
    expect(seen.total).toBe(4);
  });

  it('takes its time', async () => {
    const { counter, seen } = setUp([onAdd({ kind: 'slow', ms: 70 })]);
    expect(await counter.add(2)).toBe(2);
    expect(seen.pauses).toEqual([70]);
  });

  it('tells calls of one method apart by their label, and counts any operation as *', async () => {
    const { counter } = setUp([
      { operation: 'counter.add:7', nth: 1, fault: { kind: 'error', when: 'before' } },
      { operation: '*', nth: 4, fault: { kind: 'error', when: 'before' } },
    ]);
    await counter.add(1);
    await expect(counter.add(7)).rejects.toThrow(UnavailableError);
    await counter.total();
    await expect(counter.total()).rejects.toThrow(UnavailableError);
  });

  it('counts an armed rule from the moment it is armed', async () => {
    const { counter, faults } = setUp([]);
    await counter.add(1);
    faults.arm(onAdd({ kind: 'error', when: 'before' }));
    expect(faults.pending).toBe(1);
    await expect(counter.add(1)).rejects.toThrow(UnavailableError);
    expect(faults.pending).toBe(0);
    faults.arm(onAdd({ kind: 'error', when: 'before' }));
    faults.disarm();
    expect(await counter.add(1)).toBe(2);
  });
});
