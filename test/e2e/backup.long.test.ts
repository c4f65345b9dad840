import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../../proof/crash/stage/child';
import { auditOf } from '../support/auditing';
import { Running, temporaryDir, temporaryInstallation, testEnv } from '../support/running';
import { KURIR, kurir, runToEnd, startKurir } from '../support/service';

const MB = 1_000_000;
const dir = temporaryDir();
const at = (name: string): string => join(dir, name);
let dataDir: string;

beforeAll(async () => {
  const running = await Running.startOn(temporaryInstallation());
  ({ dataDir } = running);
  await running.untilStatus(await running.send('delivered@pelanggan.test'), 'delivered');
  await running.rest();
  // Enough for a copy to take its time.
  const db = new DatabaseSync(join(dataDir, 'kurir.sqlite'));
  db.exec('CREATE TABLE ballast (x)');
  for (let n = 0; n < 120; n += 1) db.exec(`INSERT INTO ballast VALUES (randomblob(${MB}))`);
  db.close();
});
afterAll(() => {
  for (const path of [dir, dataDir]) rmSync(path, { recursive: true, force: true });
});

const command = (...args: string[]): Child => startKurir(dataDir, args);

async function ended(child: ChildProcess): Promise<{ code: number | null; err: string }> {
  let err = '';
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}

/** Kills the command as soon as the condition holds; false when it had ended before. */
async function killedWhen(child: Child, condition: () => boolean): Promise<boolean> {
  while (!condition() && child.isAlive) await sleep(1);
  return (await child.kill()).signal === 'SIGKILL';
}

const bytesAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe('a backup, or its restore, that is cut off', () => {
  it.each([
    ['copies the store', 'kurir.sqlite', 1],
    ['writes the archive', 'backup.tar', 1],
    ['is half-way through the archive', 'backup.tar', 60 * MB],
  ])('by kill -9 while kurir backup %s leaves no file that looks whole', async (what, name, bytes) => {
    const file = at(`${what}.tar`);
    const unfinished = `${file}.unfinished`;
    expect(await killedWhen(command('backup', file), () => bytesAt(join(unfinished, name)) >= bytes)).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect(statSync(unfinished).mode & 0o777).toBe(0o700);
    for (const left of readdirSync(unfinished)) {
      await expect(kurir(at(`${what} restored`), ['restore', join(unfinished, left)])).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is not a complete backup made by kurir backup') as unknown,
      });
    }
  });

  it('by a disk that takes no more: one line, exit code 1, and nothing stays', async () => {
    const file = at('whole.tar');
    await kurir(dataDir, ['backup', file]);
    const env = { PATH: process.env.PATH, ...testEnv(dataDir) };
    const limited = (...args: string[]): Promise<{ code: number | null; err: string }> =>
      ended(spawn('sh', ['-c', 'ulimit -f 20000; exec "$0" "$@"', process.execPath, KURIR, ...args], { env }));
    const backup = await limited('backup', at('full.tar'));
    const restore = await limited('restore', file, '--into', at('full'));
    expect(backup.err).toMatch(/^[^\n]+could not be (written|copied)[^\n]+\n$/);
    expect(restore.err).toMatch(/^The backup could not be restored: EFBIG[^\n]+\n$/);
    expect([backup.code, restore.code]).toEqual([1, 1]);
    expect(readdirSync(dir).filter((name) => name.startsWith('full.tar'))).toEqual([]);
    expect(readdirSync(at('full'))).toEqual(['lock']);
  });

  it('by kill -9 while kurir restore works leaves a folder on which the service refuses to start; restoring again ends it', async () => {
    const file = at('whole.tar');
    for (const bytes of [1, 60 * MB]) {
      const into = at(`killed at ${bytes}`);
      const copied = (): boolean => bytesAt(join(into, 'restore.unfinished/kurir.sqlite')) >= bytes;
      expect(await killedWhen(command('restore', file, '--into', into), copied)).toBe(true);
      const { code, printed } = await runToEnd(testEnv(into));
      expect({ code, printed }).toEqual({
        code: 1,
        printed: expect.stringMatching(
          /^A restore into .* was interrupted: run kurir restore again, or empty the directory\.\n$/,
        ) as unknown,
      });
      await kurir(into, ['restore', file]);
      expect(readdirSync(into).filter((name) => name.includes('unfinished'))).toEqual([]);
      expect((await auditOf(into)).found).toEqual([]);
    }
  });
});
