import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { emptyMailFile } from '../../sandbox/empty-mail-file';
import { HookStore } from '../../sandbox/hooks/hook-store';
import { MailFile, OtherInstallationError } from '../../sandbox/mail-file';
import { MailStore } from '../../sandbox/mail-store';
import { PendingReports } from '../../sandbox/pending-reports';
import { arrived } from './hooks/support';
import { simpleMail, temporaryDir } from './support';

let dir: ReturnType<typeof temporaryDir>;
let path: string;
let file: MailFile;

beforeEach(() => {
  dir = temporaryDir();
  path = join(dir.path, 'sandbox.sqlite');
  file = new MailFile(path);
});
afterEach(() => {
  file.close();
  dir.remove();
});

const insert = (name: string) => () => file.run('INSERT INTO tries (name, count, first_at) VALUES (?, 1, 0)', name);
const names = (): string[] => file.all<{ name: string }>('SELECT name FROM tries').map(({ name }) => name);

describe('writes', () => {
  test('that fail take nobody of their batch with them', async () => {
    const boom = (): never => {
      insert('half done')();
      throw new Error('boom');
    };
    const results = await Promise.allSettled([file.write(insert('a')), file.write(boom), file.write(insert('b'))]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(names()).toEqual(['a', 'b']);
  });

  test('that wait are on the disk when the file is closed, and later ones reject', async () => {
    const writing = file.write(insert('a'));
    file.close();
    await writing;
    await expect(file.write(insert('b'))).rejects.toThrow();
    file = new MailFile(path);
    expect(names()).toEqual(['a']);
  });

  test('of a thousand callers at once are all there', async () => {
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => file.write(insert(String(n)))));
    expect(names()).toHaveLength(1_000);
  });
});

test('a close leaves all of it in the file itself, also while somebody else reads it, and has no log', async () => {
  file.close();
  file = new MailFile(path, { installationId: 'one', now: 0 });
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.prepare('SELECT count(*) FROM tries').get();
  await file.write(insert('a'));
  file.close();
  expect(statSync(`${path}-wal`).size).toBe(0);
  reader.close();
  file = new MailFile(path);
  expect(names()).toEqual(['a']);
});

test('no query reads a whole table, however many mails there are', async () => {
  const queries = new Set<string>();
  class Recorder extends MailFile {
    override get<T>(sql: string, ...values: Parameters<MailFile['get']>[1][]): T | undefined {
      queries.add(sql);
      return super.get<T>(sql, ...values);
    }
    override all<T>(sql: string, ...values: Parameters<MailFile['all']>[1][]): T[] {
      queries.add(sql);
      return super.all<T>(sql, ...values);
    }
    override run(sql: string, ...values: Parameters<MailFile['run']>[1][]): number {
      queries.add(sql);
      return super.run(sql, ...values);
    }
  }
  const recorder = new Recorder(join(dir.path, 'recorded.sqlite'));
  queries.clear();
  const store = new MailStore(recorder);
  const reports = new PendingReports(recorder);
  await store.keep({
    receivedAt: 1,
    mailFrom: 'a@a.example',
    recipients: [{ address: 'complaint@b.example', notify: ['SUCCESS'], orcpt: null }],
    envid: 'E1',
    ret: null,
    source: Buffer.from(simpleMail('M1')),
  });
  await store.countTry('x', 1);
  const [due] = reports.due(1, 10);
  await reports.postpone(due!.id, 5, '451');
  expect(reports.nextAfter(1)).toBe(5);
  await reports.finish(due!.id, 'sent', '250', 6);
  expect(reports.due(6, 10).map(({ kind }) => kind)).toEqual(['complaint']);
  expect([store.list(10, 99).length, store.get(1)?.id, store.total(), store.countByMessage('M1')]).toEqual([
    1, 1, 1, 1,
  ]);
  const hooks = new HookStore(recorder);
  expect(await hooks.keep(arrived())).toEqual({ id: 1, attempt: 1 });
  expect([hooks.list('shop', 1, 2).length, hooks.list(null, 1, 2).length, hooks.count('shop')]).toEqual([1, 1, 1]);
  expect(hooks.body('shop', 1)).toEqual(arrived().body);
  recorder.close();

  const db = new DatabaseSync(join(dir.path, 'recorded.sqlite'));
  expect(queries.size).toBeGreaterThan(12);
  for (const sql of queries) {
    const unknowns = Array.from(sql.matchAll(/\?/g), () => null);
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...unknowns) as { detail: string }[];
    expect([sql, plan.map(({ detail }) => detail).filter((detail) => /^SCAN/.test(detail))]).toEqual([sql, []]);
  }
  db.close();
});

const open = (owner?: ConstructorParameters<typeof MailFile>[1]): MailFile => (file = new MailFile(path, owner));

describe('a file belongs to its installation', () => {
  test('a new one to the one that makes it, from that time on', () => {
    const other = new MailFile(join(dir.path, 'new.sqlite'), { installationId: 'A', now: 7 });
    expect(other.ownership()).toEqual({ installationId: 'A', since: 7 });
    other.close();
  });

  test('one that nobody served yet to the one that opens it for serving, with all its mails', async () => {
    await file.write(insert('kept'));
    expect(file.ownership()).toEqual({ installationId: null, since: null });
    file.close();
    expect(open({ installationId: 'A', now: 7 }).ownership()).toEqual({ installationId: 'A', since: null });
    expect(names()).toEqual(['kept']);
  });

  test('and to no other, which is named', () => {
    file.close();
    open({ installationId: 'A', now: 7 }).close();
    expect(() => new MailFile(path, { installationId: 'B', now: 8 })).toThrow(OtherInstallationError);
    expect(() => new MailFile(path, { installationId: 'B', now: 8 })).toThrow(/sandbox\.sqlite belongs .* \(A\)/);
    expect(open({ installationId: 'A', now: 9 }).ownership()).toEqual({ installationId: 'A', since: null });
  });
});

describe('emptying the file', () => {
  const mail = (n: number, source = simpleMail(`M${n}`)): Promise<number> =>
    new MailStore(file).keep({
      receivedAt: n,
      mailFrom: 'a@a.example',
      recipients: [{ address: 'delivered@b.example', notify: ['SUCCESS'], orcpt: null }],
      envid: `E${n}`,
      ret: null,
      source: Buffer.from(source),
    });
  const count = (table: string): number => file.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n;

  test('deletes mails, reports and tries beside a sandbox that goes on, and gives the space back', async () => {
    for (let n = 1; n <= 12; n += 1) await mail(n, `${simpleMail(`M${n}`)}${'x'.repeat(1_000_000)}`);
    await file.write(insert('a try'));
    expect(await emptyMailFile(path, 'A', 99)).toEqual({ mails: 12, pendingReports: 12, hookRequests: 0, since: 99 });
    expect(['mails', 'sources', 'reports', 'tries'].map(count)).toEqual([0, 0, 0, 0]);
    expect(file.ownership()).toEqual({ installationId: 'A', since: 99 });
    expect(statSync(path).size).toBeLessThan(200_000);
  });

  test('begins at the newest mail when that is later than the time of the one who empties it', async () => {
    await mail(500);
    expect(await emptyMailFile(path, 'A', 99)).toMatchObject({ since: 500 });
  });

  test('uses no id twice, so that a report under way is not taken for a later one', async () => {
    await mail(1);
    const [underWay] = new PendingReports(file).due(10, 1);
    await emptyMailFile(path, 'A', 99);
    const store = new MailStore(file);
    expect(store.total()).toBe(0);
    expect(await mail(2)).toBe(2);
    await new PendingReports(file).finish(underWay!.id, 'sent', '250', 11);
    expect(new PendingReports(file).due(10, 9).map(({ id }) => id)).toEqual([underWay!.id + 1]);
    expect(store.total()).toBe(1);
  });

  test("makes another installation's file ours only once it is empty", async () => {
    file.close();
    const theirs = new MailFile(join(dir.path, 'theirs.sqlite'), { installationId: 'B', now: 1 });
    await theirs.write(() => theirs.run("INSERT INTO tries (name, count, first_at) VALUES ('x', 1, 0)"));
    await emptyMailFile(join(dir.path, 'theirs.sqlite'), 'A', 99);
    expect(theirs.ownership()).toEqual({ installationId: 'A', since: 99 });
    theirs.close();
    open();
  });
});
