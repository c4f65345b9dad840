import { describe, expect, it } from '@jest/globals';
import { WalSync } from '../../stores/embedded/wal-sync';

/** A disk whose syncs end when the test says so. */
function slowDisk() {
  const syncs: { resolve(): void; reject(error: Error): void }[] = [];
  const sync = (): Promise<void> =>
    new Promise((resolve, reject) => {
      syncs.push({ resolve, reject });
    });
  return { syncs, disk: new WalSync(sync) };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the sync of the group commit', () => {
  it('tells nobody of success before a sync that began after his commit has ended', async () => {
    const { syncs, disk } = slowDisk();
    const heard: string[] = [];
    disk.settle(() => heard.push('first'), fail);
    await turn();
    disk.settle(() => heard.push('second'), fail);
    disk.settle(() => heard.push('third'), fail);
    expect(heard).toEqual([]);
    syncs[0]!.resolve();
    await turn();
    expect(heard).toEqual(['first']);
    expect(syncs).toHaveLength(2);
    syncs[1]!.resolve();
    await turn();
    expect(heard).toEqual(['first', 'second', 'third']);
  });

  it('holds a reader back until what he saw is durable, and nobody when everything is', async () => {
    const { syncs, disk } = slowDisk();
    await disk.barrier();
    expect(syncs).toHaveLength(0);
    disk.settle(() => undefined, fail);
    let passed = false;
    const reader = disk.barrier().then(() => (passed = true));
    syncs[0]!.resolve();
    await turn();
    expect(passed).toBe(false);
    syncs[1]!.resolve();
    await reader;
  });

  it('tells everybody of the batch when the disk refuses, and goes on with the next', async () => {
    const { syncs, disk } = slowDisk();
    const heard: string[] = [];
    disk.settle(fail, (error) => heard.push((error as Error).message));
    syncs[0]!.reject(new Error('EIO'));
    await turn();
    await turn();
    disk.settle(() => heard.push('later'), fail);
    syncs[1]!.resolve();
    await disk.idle();
    expect(heard).toEqual(['EIO', 'later']);
  });

  it('lets nobody write after a failure before everything is in the file itself', async () => {
    const { syncs, disk } = slowDisk();
    let mends = 0;
    disk.ready(() => (mends += 1));
    disk.settle(fail, () => undefined);
    syncs[0]!.reject(new Error('EIO'));
    await disk.idle();
    expect(() =>
      disk.ready(() => {
        throw new Error('still full');
      }),
    ).toThrow('still full');
    disk.ready(() => (mends += 1));
    disk.ready(() => (mends += 1));
    expect(mends).toBe(1);
  });
});

function fail(): void {
  throw new Error('must not be called');
}
