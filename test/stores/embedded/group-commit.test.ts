import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../stores/embedded/database/database';
import { GroupCommit } from '../../../stores/embedded/group-commit';

const REST = 4;
let dir: string;
let db: Database;
let commits: GroupCommit;
/** How many callers each transaction so far had. */
let sizes: number[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  dir = mkdtempSync(join(tmpdir(), 'kurir-commits-'));
  db = new Database(join(dir, 'kurir.sqlite'));
  commits = new GroupCommit(
    db,
    () => 0,
    () => undefined,
  );
  sizes = [];
  const commit = db.commit.bind(db);
  jest.spyOn(db, 'commit').mockImplementation(() => {
    commit();
    sizes.push(0);
  });
});
afterEach(() => {
  commits.close();
  db.close({ checkpoint: false });
  rmSync(dir, { recursive: true });
  jest.useRealTimers();
});

const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
let made = 0;
/** Stores a row and counts itself into the transaction that has it. */
const write = (): Promise<void> => {
  const name = `row ${(made += 1)}`;
  return commits
    .write((tx) => {
      tx.db.run('INSERT INTO settings (name, value) VALUES (?, ?)', name, '1');
    })
    .then(() => void (sizes[sizes.length - 1]! += 1));
};
const writes = (count: number): Promise<unknown> => Promise.all(Array.from({ length: count }, write));

describe('group commit', () => {
  test('takes those who wait together into one transaction', async () => {
    await writes(30);
    expect(sizes).toEqual([30]);
  });

  test('lets a caller who comes after a few wait for nothing', async () => {
    await writes(7);
    await write();
    await write();
    expect(sizes).toEqual([7, 1, 1]);
  });

  test('rests after a transaction that many shared, and those who come meanwhile share the next', async () => {
    await writes(8);
    const first = write();
    await turns();
    const second = write();
    jest.advanceTimersByTime(REST - 1);
    await turns();
    expect(sizes).toEqual([8]);
    jest.advanceTimersByTime(1);
    await Promise.all([first, second]);
    expect(sizes).toEqual([8, 2]);
    // and after those two it does not rest
    await write();
    expect(sizes).toEqual([8, 2, 1]);
  });

  test.each([
    ['32', 40, 32],
    ['as many as shared the last one', 10, 10],
  ])('rests no longer than until %s wait', async (_name, last, enough) => {
    await writes(last);
    const early = writes(enough - 1);
    await turns();
    expect(sizes).toEqual([last]);
    await write();
    await early;
    expect(sizes).toEqual([last, enough]);
  });

  test('does not rest when the time is over before anybody comes', async () => {
    await writes(8);
    jest.advanceTimersByTime(REST);
    await write();
    expect(sizes).toEqual([8, 1]);
  });

  test('commits what waits for the end of a rest when it is closed', async () => {
    await writes(8);
    const resting = write();
    await turns();
    commits.close();
    await resting;
    expect(sizes).toEqual([8, 1]);
    await expect(write()).rejects.toThrow('The data file is closed.');
  });

  test('one that throws fails alone, also after a rest', async () => {
    await writes(8);
    const good = write();
    const bad = commits.write(() => {
      throw new Error('mine');
    });
    await turns();
    jest.advanceTimersByTime(REST);
    await expect(bad).rejects.toThrow('mine');
    await good;
    await write();
    expect(sizes).toEqual([8, 1, 1]);
  });
});
