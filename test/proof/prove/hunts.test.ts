import { describe, expect, it } from '@jest/globals';
import { Hunts } from '../../../proof/prove/hunts';
import { tableOf } from '../../../proof/prove/mutants';
import { unplayed, type Outcome, type Task } from '../../../proof/prove/play';

const OPTIONS = { seed: 1, most: 4, trim: { operations: 24, without: [] }, engine: null };
const QUARRIES = ['fence', 'outbox'].map((name) => ({ name, about: `breaks ${name}` }));

/** What a world tells, by `seed mutant` or by the seed alone, whatever is broken. */
type Told = Readonly<Record<string, string>>;

const outcomeOf = ({ seed, mutant }: Task, told: Told): Outcome => {
  const rule = told[`${seed} ${mutant}`] ?? told[seed];
  if (rule === 'no world') return unplayed(seed, 'The world failed.');
  const findings = rule === undefined ? [] : [{ rule, subject: 'message m', text: 'It is wrong.', story: '' }];
  return { ...unplayed(seed, null), findings };
};

/** Hunts in worlds that tell this, as so many workers do, of which each begins when one has ended. */
function hunted(told: Told, workers = 1) {
  const said: string[] = [];
  const hunts = new Hunts(QUARRIES, OPTIONS, (text) => said.push(text));
  const played: Task[] = [];
  const busy: Task[] = [];
  const begin = (): void => {
    const task = hunts.next();
    if (task) busy.push(task);
  };
  for (let n = 0; n < workers; n++) begin();
  // The one that began last ends first.
  for (let task = busy.pop(); task; task = busy.pop()) {
    played.push(task);
    hunts.take(outcomeOf(task, told), task);
    begin();
  }
  const caught = Object.fromEntries(hunts.all.map((one) => [one.name, one.caught]));
  const unbroken = played.filter(({ mutant }) => mutant === null).map(({ seed }) => seed);
  return { hunts, caught, unbroken, said };
}

describe('a hunt for mutants', () => {
  it('counts what a seed tells that is clean without the mutant, and plays that once', () => {
    const { hunts, caught, unbroken, said } = hunted({ '1 fence': 'doubled', '1 outbox': 'audit' });
    expect(caught).toEqual({ fence: { seed: 1, rule: 'doubled' }, outbox: { seed: 1, rule: 'audit' } });
    expect(unbroken).toEqual([1]);
    expect(said).toEqual(['fence: seed 1 (doubled)', 'outbox: seed 1 (audit)']);
    expect([hunts.isGreen, hunts.unclean]).toEqual([true, []]);
  });

  it('counts nothing of a seed that tells of something without any mutant, goes on, and is not green', () => {
    const { hunts, caught, unbroken, said } = hunted({ 1: 'path', '2 fence': 'doubled', '3 outbox': 'audit' });
    expect(caught).toEqual({ fence: { seed: 2, rule: 'doubled' }, outbox: { seed: 3, rule: 'audit' } });
    expect(unbroken).toEqual([1, 2, 3]);
    expect(hunts.unclean).toEqual([{ seed: 1, rule: 'path', text: 'message m: It is wrong.' }]);
    expect(said[0]).toBe('seed 1 is not clean without a mutant: path: message m: It is wrong.');
    expect([hunts.isGreen, hunts.survivors]).toEqual([false, []]);
    expect(tableOf(hunts, OPTIONS)).toContain(
      'Seed 1 is not clean without a mutant, so nothing counts that it tells with one: path: message m: It is wrong.\n' +
        'npx kurir prove --seed 1 --seeds 1 --operations 24',
    );
  });

  it('takes a seed that tells only of its own fault for none that catches', () => {
    const { hunts, caught } = hunted({ 1: 'path', 2: 'path', 3: 'path', 4: 'path' });
    expect(caught).toEqual({ fence: null, outbox: null });
    expect(hunts.survivors.map(({ name }) => name)).toEqual(['fence', 'outbox']);
  });

  it('counts nothing of a seed whose world cannot be played without the mutant', () => {
    const { hunts, caught } = hunted({ '1 fence': 'doubled', 1: 'no world', 2: 'no world', '3 outbox': 'audit' });
    expect(caught).toEqual({ fence: null, outbox: { seed: 3, rule: 'audit' } });
    expect(hunts.unclean).toEqual([{ seed: 1, rule: null, text: 'The world failed.' }]);
    expect(hunts.isGreen).toBe(false);
  });

  it.each([2, 3, 8])('comes to the same with %i seeds at a time', (workers) => {
    const { hunts, caught, unbroken } = hunted({ 1: 'path', '2 fence': 'doubled', '4 outbox': 'audit' }, workers);
    expect(caught).toEqual({ fence: { seed: 2, rule: 'doubled' }, outbox: { seed: 4, rule: 'audit' } });
    expect(unbroken.sort()).toEqual([1, 2, 4]);
    expect(hunts.unclean.map(({ seed }) => seed)).toEqual([1]);
  });

  it('is not green while a mutant survives', () => {
    const { hunts } = hunted({ '2 fence': 'doubled' });
    expect([hunts.isGreen, hunts.survivors.map(({ name }) => name)]).toEqual([false, ['outbox']]);
  });
});
