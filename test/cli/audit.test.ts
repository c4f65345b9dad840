import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { engineTools } from '../../app/engines/engine-tools';
import { readConfig } from '../../operations/config/config';
import { DATABASE, SANDBOX } from '../../operations/installation/data-dir';
import { runCli } from '../../cli/run';
import { TestOperator } from '../support/test-operator';
import { testEnv } from '../support/running';

const operator = TestOperator.ofFile(['workspace', 'create', 'Melati'], ['coins', 'grant', 'Melati', '300']);

function change(sql: string): void {
  const db = new DatabaseSync(join(operator.dataDir, DATABASE));
  db.exec(sql);
  db.close();
}

const CHECKED = {
  workspaces: 1,
  messages: 0,
  attempts: 0,
  ledger_rows: 1,
  penalties: 0,
  idempotency_keys: 0,
  list_counts: 0,
  engagement_rows: 0,
  campaigns: 0,
  enrollments: 0,
  conversions: 0,
  webhook_events: 0,
  webhook_deliveries: 0,
  days: 0,
  received: null,
};

describe('kurir audit', () => {
  it('on data that add up: exit code 0, one JSON object with an empty list', async () => {
    const { code, err, json } = await operator.run(['audit', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const ms = expect.any(Number) as unknown;
    expect(json).toEqual({
      found: [],
      ok: true,
      differences: 0,
      groups: [],
      checked: CHECKED,
      sandbox: null,
      notes: [],
      ms,
    });
  });

  it('on data that do not: exit code 1, and each difference with both figures, in JSON as many as there are', async () => {
    change("UPDATE balances SET balance = balance + 7; UPDATE ledger SET id = 'grant/a' || char(27) || '[2J'");
    const { code, err, json } = await operator.run(['audit', '--json']);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const found = json.found as { rule: string }[];
    expect(found[0]).toEqual({
      rule: 'balance',
      subject: 'workspace 1',
      expected: '300',
      found: '307',
      detail: null,
    });
    expect(found.length).toBeGreaterThan(1);
    expect(json).toMatchObject({ ok: false, differences: found.length, checked: CHECKED });
    const groups = json.groups as { rule: string; count: number; likely_cause: string }[];
    expect(groups[0]).toEqual({
      rule: 'balance',
      count: 1,
      likely_cause: expect.stringMatching(/ledger entry/) as unknown,
    });
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(found.length);
  });

  it('on a terminal in colour, with a bar on the other stream that is taken away, and nothing of others that moves the cursor', async () => {
    const { code, out, err } = await operator.run(['audit'], { tty: true });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^\x1b\[31mbalance\x1b\[39m: 1 difference\n {2}likely cause: .*\n {2}workspace 1\n.*expected.* {2}300\n.*found.* {5}307\n/,
    );
    expect(out).not.toMatch(/\x1b\[2J|\r/);
    expect(err).toMatch(/^\rmessages /);
    expect(err).toMatch(/\r\x1b\[K$/);
  });

  it('stops when its reader has seen enough, without a word', async () => {
    const reader = new AbortController();
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runCli(['audit', '--all'], {
      stdout: { write: (text) => (out.push(text), reader.abort()) },
      stderr: { write: (text) => err.push(text) },
      stdin: Readable.from([]),
      tools: async () => engineTools,
      config: () => readConfig(testEnv(operator.dataDir)),
      readerGone: reader.signal,
    });
    expect({ code, err }).toEqual({ code: 1, err: [] });
    expect(out).toEqual([expect.stringMatching(/^balance: workspace 1\n/)]);
  });

  it('shows twenty differences in all, some of every rule with its count; --all shows each one', async () => {
    const other = await TestOperator.open();
    await other.ask('workspace', 'create', 'Melati');
    const db = new DatabaseSync(join(other.dataDir, DATABASE));
    const insert = db.prepare(
      'INSERT INTO ledger (workspace_id, id, kind, amount, message_id, at) VALUES (1, ?, ?, 1, NULL, 0)',
    );
    for (let n = 0; n < 30; n += 1) insert.run(`gift ${n}`, 'nonsense');
    db.close();
    const short = await other.run(['audit']);
    const long = await other.run(['audit', '--all']);
    const { found, groups, differences } = (await other.run(['audit', '--json'])).json as {
      found: { rule: string }[];
      groups: { rule: string; count: number }[];
      differences: number;
    };
    other.remove();
    expect(differences).toBeGreaterThan(30);
    for (const { rule, count } of groups) {
      expect(short.out).toContain(`${rule}: ${count} difference${count === 1 ? '' : 's'}\n  likely cause: `);
      expect(found.filter((difference) => difference.rule === rule)).toHaveLength(count);
    }
    expect(short.out.match(/^ {4}expected/gm)).toHaveLength(20);
    expect(short.out).toMatch(/\nShowing 20 differences of \d+. Run kurir audit --all to see every one\.\n/);
    expect(short.out).toMatch(/\n {2}and \d+ more\n/);
    expect(long.out.match(/^ {2}expected/gm)).toHaveLength(differences);
    expect(long.out).not.toContain('are shown');
  });

  it('says what it counted in words: one of a kind or several, and which penalties', async () => {
    const other = await TestOperator.open();
    await other.ask('workspace', 'create', 'Melati');
    const one = (await other.run(['audit'])).out;
    await other.ask('workspace', 'create', 'Mawar');
    const two = (await other.run(['audit'])).out;
    other.remove();
    expect(one).toMatch(/^No differences found: 1 workspace, 0 messages, .* 0 penalties for forced sends, /);
    expect(two).toMatch(/^No differences found: 2 workspaces, /);
  });

  it('opens the data for reading only: a version that the service has to bring up is left as it is', async () => {
    change('PRAGMA user_version = 0');
    const { code, out, err } = await operator.run(['audit', '--json']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(err)).toMatchObject({
      error: { message: expect.stringContaining('start the service once') as unknown },
    });
    const db = new DatabaseSync(join(operator.dataDir, DATABASE), { readOnly: true });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 });
    db.close();
  });

  it.each([
    [DATABASE, /^[^\n]*not a database[^\n]*\n$/],
    [SANDBOX, /^The sandbox file [^\n]* is damaged \(file is not a database\): [^\n]*\n$/],
  ])('on a file %s that is none: exit code 1', async (file, reason) => {
    const other = await TestOperator.open();
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(other.dataDir, `${file}${suffix}`), { force: true });
    writeFileSync(join(other.dataDir, file), 'no data at all '.repeat(500));
    const { code, out, err } = await other.run(['audit']);
    other.remove();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(reason);
  });

  it('is refused for an option nobody knows and for an argument, exit code 2', async () => {
    for (const argv of [
      ['audit', '--fast'],
      ['audit', 'Melati'],
    ]) {
      expect(await operator.run(argv)).toMatchObject({ code: 2, out: '' });
    }
  });
});
