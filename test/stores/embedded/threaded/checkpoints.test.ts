import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  closeSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadOnlyFile } from '../../../../stores/embedded/audit/read-only-file';
import { Database } from '../../../../stores/embedded/database/database';
import { openEmbedded } from '../../../../stores/embedded/open';
import { openThreaded } from '../../../../stores/embedded/threaded/open-threaded';
import { startCheckpointer } from '../../../../stores/embedded/threaded/start-checkpointer';
import type { Engine } from '../../../../stores/ports/engine';
import { acceptOne, anAcceptance, createSender } from '../../../support/builders';
import { frozenClock } from '../../../support/clock';
import { until } from '../../../contract/helpers';

type Sender = Awaited<ReturnType<typeof createSender>>;

const PROGRAM = join(__dirname, '../../../../dist/store-thread.js');
const HTML = `<p>${'Pesanan Anda. '.repeat(28_000)}</p>`;
const ENOUGH = 3_000;
const MEGABYTE = 2 ** 20;

let dir: string;
let file: string;
let engine: Engine | null;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kurir-checkpoints-'));
  file = join(dir, 'kurir.db');
  engine = null;
});
afterEach(async () => {
  await engine?.close();
  rmSync(dir, { recursive: true, force: true });
});

const fail = (error: Error): void => {
  throw error;
};

const start = async (): Promise<Engine> =>
  (engine = await openThreaded({ file, clock: frozenClock(), program: PROGRAM, onGone: fail }));

/** How often the write-ahead log has started over, by its own header. */
function timesRestarted(): number {
  const header = Buffer.alloc(16);
  const wal = openSync(`${file}-wal`, 'r');
  readSync(wal, header, 0, 16, 0);
  closeSync(wal);
  return header.readUInt32BE(12);
}

/** Accepts mails of 400 kB without a pause until the log has started over once more; answers how many. */
async function writeUntilRestart({ stores }: Engine, sender: Sender): Promise<number> {
  const before = timesRestarted();
  for (let count = 0; count < ENOUGH;) {
    const batch = Array.from({ length: 8 }, () => anAcceptance(sender, { body: { html: HTML } }));
    await Promise.all(batch.map((acceptance) => acceptOne(stores.messages, acceptance)));
    count += batch.length;
    if (timesRestarted() > before) return count;
  }
  throw new Error(`the log did not start over within ${ENOUGH} mails`);
}

const total = async (opened: Engine, sender: Sender): Promise<number> =>
  (await opened.stores.messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total;

describe('the write-ahead log of the threaded engine', () => {
  it('starts over while writes go on without a pause, and its file stays far smaller than what was written', async () => {
    const { stores } = await start();
    const sender = await createSender(stores);
    const rounds: number[] = [];
    for (let n = 0; n < 3; n += 1) rounds.push(await writeUntilRestart(engine!, sender));
    // The file holds the longest round, not their sum; pages and frames take some room besides.
    expect(statSync(`${file}-wal`).size).toBeLessThan(Math.max(...rounds) * HTML.length * 1.5);
    expect(await total(engine!, sender)).toBe(rounds.reduce((sum, count) => sum + count, 0));
  });

  it('grows as long as somebody reads an older state, who sees it unchanged, and starts over after that', async () => {
    const { stores } = await start();
    const sender = await createSender(stores);
    await stores.messages.accept([anAcceptance(sender)]);
    const reader = new ReadOnlyFile(file);
    reader.hold();
    const before = timesRestarted();
    for (let n = 0; n < 200; n += 1) await stores.messages.accept([anAcceptance(sender, { body: { html: HTML } })]);
    expect(reader.get('SELECT count(*) AS n FROM messages')).toEqual({ n: 1 });
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(75 * MEGABYTE);
    expect(timesRestarted()).toBe(before);
    reader.release();
    await writeUntilRestart(engine!, sender);
    expect(reader.get('SELECT count(*) > 200 AS more FROM messages')).toEqual({ more: 1 });
    reader.close();
  });

  it('is empty after a clean stop: the file alone has everything', async () => {
    const { stores } = await start();
    const sender = await createSender(stores);
    for (let n = 0; n < 10; n += 1) await stores.messages.accept([anAcceptance(sender, { body: { html: HTML } })]);
    await engine!.close();
    expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
    const alone = join(dir, 'alone.db');
    copyFileSync(file, alone);
    engine = await openEmbedded({ file: alone, clock: frozenClock() });
    expect(await total(engine, sender)).toBe(10);
  });
});

describe('the pages of a file', () => {
  const pragma = (db: Database, name: string): number => db.get<Record<string, number>>(`PRAGMA ${name}`)![name]!;

  it('have 8 kB in a new one, and stay what they are in an older one: its log comes into the file at the same length', () => {
    const older = new DatabaseSync(file);
    older.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
    older.close();
    const lengths = [file, join(dir, 'new.db')].map((path) => {
      const db = new Database(path);
      const [size, pages] = [pragma(db, 'page_size'), pragma(db, 'wal_autocheckpoint')];
      db.begin();
      db.run('INSERT INTO settings (name, value) VALUES (?, ?)', 'big', Buffer.alloc(MEGABYTE));
      db.commit();
      const { bytes } = db.logLength();
      db.close();
      return { size, checkpointAt: size * pages, long: bytes > MEGABYTE && bytes < 3 * MEGABYTE };
    });
    expect(lengths.map(({ size }) => size)).toEqual([4_096, 8_192]);
    for (const { checkpointAt, long } of lengths) {
      expect(Math.round(checkpointAt / 1_000_000)).toBe(40);
      expect(long).toBe(true);
    }
  });
});

describe('the checkpointer', () => {
  const autocheckpoint = (db: Database): number =>
    db.get<{ wal_autocheckpoint: number }>('PRAGMA wal_autocheckpoint')!.wal_autocheckpoint;
  const write = (db: Database, bytes: number): void => {
    db.begin();
    db.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', 'big', Buffer.alloc(bytes));
    db.commit();
  };
  /** Writes at a pace at which the thread is worth its memory. */
  const writeUntilItRuns = async (db: Database): Promise<void> => {
    while (autocheckpoint(db) < 10_000) {
      write(db, MEGABYTE);
      await setTimeout(100);
    }
  };

  it('is not started for a service that writes little', async () => {
    const db = new Database(file);
    const checkpointer = startCheckpointer(join(dir, 'missing.js'), file, db);
    for (let n = 0; n < 5; n += 1) {
      write(db, 10_000);
      await setTimeout(500);
    }
    expect(autocheckpoint(db)).toBeLessThan(10_000);
    await checkpointer.stop();
    db.close();
  });

  it('gives the log back to the commits of the writer when it ends', async () => {
    const program = join(dir, 'ends.js');
    const broken = join(dir, 'broken');
    const look = `if (require('node:fs').existsSync(${JSON.stringify(broken)})) throw new Error('out of order');`;
    writeFileSync(program, `setInterval(() => { ${look} }, 10);`);
    const db = new Database(file);
    const checkpointer = startCheckpointer(program, file, db);
    await writeUntilItRuns(db);
    writeFileSync(broken, '');
    await until(() => autocheckpoint(db) <= 10_000, 10);
    write(db, 45 * MEGABYTE);
    expect(db.logLength().copied).toBeGreaterThan(10_000);
    await checkpointer.stop();
    db.close();
  });

  it('has the log to itself while it lives: commits copy nothing', async () => {
    const program = join(dir, 'idle.js');
    writeFileSync(program, "require('node:worker_threads').parentPort.once('message', () => process.exit())");
    const db = new Database(file);
    const checkpointer = startCheckpointer(program, file, db);
    await writeUntilItRuns(db);
    write(db, 45 * MEGABYTE);
    expect(db.logLength().copied).toBe(0);
    await checkpointer.stop();
    db.close();
  });
});
