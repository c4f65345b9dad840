import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { MailFile } from '../../sandbox/mail-file';
import { MailStore } from '../../sandbox/mail-store';
import { PendingReports } from '../../sandbox/pending-reports';
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
