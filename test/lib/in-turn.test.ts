import { describe, expect, it } from '@jest/globals';
import { InTurn } from '../../lib/in-turn';

describe('work in turn', () => {
  it('is done one after the other for a key, and goes on after a failure', async () => {
    const turns = new InTurn();
    const done: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = turns.run('a', async () => {
      await held;
      done.push('first');
      throw new Error('failed');
    });
    const second = turns.run('a', async () => done.push('second'));
    await turns.run('b', async () => done.push('other'));
    expect(done).toEqual(['other']);
    release();
    await expect(first).rejects.toThrow('failed');
    expect(await second).toBe(3);
    expect(done).toEqual(['other', 'first', 'second']);
  });

  it('keeps nothing of keys whose work has ended', async () => {
    const turns = new InTurn();
    const all = Array.from({ length: 100 }, (_, n) => turns.run(`key ${n % 50}`, async () => n));
    expect(turns.size).toBe(50);
    expect(await Promise.all(all)).toHaveLength(100);
    expect(turns.size).toBe(0);
  });
});
