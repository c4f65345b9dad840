import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Caller, Running, temporaryDir, testEnv } from '../support/running';
import { runToEnd, Service } from '../support/service';
import { TestOperator } from '../support/test-operator';

const PAGE = 8_192;
const dir = temporaryDir();
const whole = join(dir, 'whole');
let key: string;
let demoDomain: number;
const started: Service[] = [];
beforeAll(async () => {
  const running = await Running.start({ KURIR_DATA_DIR: whole });
  key = running.demo.api_key;
  demoDomain = running.demo.transactional_domain_id;
  await running.send('delivered@x.test');
  await running.rest();
  await running.kurir.stop();
});
afterAll(async () => {
  for (const service of started) await service.kill();
  rmSync(dir, { recursive: true, force: true });
});

/** A copy of the data, to be damaged. */
function copy(name: string): string {
  const folder = join(dir, name);
  cpSync(whole, folder, { recursive: true });
  return folder;
}

/** Writes zeros over the root page of a table, or from a page on. */
function zero(file: string, from: string | number): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const root =
    typeof from === 'number'
      ? from
      : (db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(from) as { rootpage: number }).rootpage;
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0, (root - 1) * size, typeof from === 'number' ? undefined : root * size);
  writeFileSync(file, bytes);
}

const COMMANDS = [['workspace', 'list'], ['doctor'], ['audit'], ['demo'], ['log'], ['pii', 'delivered@x.test']];
const DAMAGES: readonly [what: string, damage: (file: string) => void, said: RegExp][] = [
  ['zero bytes', (file) => writeFileSync(file, ''), /is damaged \(it has 0 bytes\)/],
  ['one byte', (file) => writeFileSync(file, 'x'), /is damaged \(it has 1 bytes\)/],
  ['another file in its place', (file) => writeFileSync(file, 'hello\n'.repeat(5_000)), /is damaged \(file is not a/],
  [
    'a first page of zeros',
    (file) => writeFileSync(file, readFileSync(file).fill(0, 0, PAGE)),
    /is damaged \(file is n/,
  ],
  ['pages of zeros', (file) => zero(file, 2), /is damaged \(database disk image is malformed\)/],
  ['half of it', (file) => truncateSync(file, 4 * PAGE), /is damaged \(database disk image is malformed\)/],
  [
    'a directory in its place',
    (file) => (rmSync(file), mkdirSync(file)),
    /cannot be used right now: there is a directory in/,
  ],
  ['no file', (file) => rmSync(file), /is missing, although the service has run here before: .*kurir restore/],
];

describe.each(DAMAGES)('A data file with %s', (what, damage, said) => {
  const named = (folder: string): string => `The data file ${join(folder, 'kurir.sqlite')} `;

  // docs/operations.md#a-damaged-data-file: the file and kurir restore, in one sentence
  it('is named by every command in one sentence, exit code 1, and stays as it is', async () => {
    const folder = copy(`commands ${what}`);
    const file = join(folder, 'kurir.sqlite');
    damage(file);
    const operator = await TestOperator.open({ dataDir: folder });
    const backup = ['backup', join(dir, `${what}.tar`)];
    // It reads nothing but the head of the file.
    const upgrade = what === 'pages of zeros' ? [] : [['upgrade', 'check']];
    for (const command of [...COMMANDS, ...upgrade, backup]) {
      const { code, err } = await operator.run(command);
      expect(`${command[0]}: ${err}`).toMatch(said);
      expect(err).toContain(named(folder));
      if (/damaged/.test(err)) expect(err).toContain('kurir restore');
      expect(err.trim().split('\n')).toHaveLength(1);
      expect(code).toBe(1);
      const asJson = await operator.run([...command, '--json']);
      expect((JSON.parse(asJson.err) as { error: { message: string } }).error.message).toMatch(said);
    }
  });

  it('ends a start of the service with one record, exit code 1', async () => {
    const folder = copy(`start ${what}`);
    damage(join(folder, 'kurir.sqlite'));
    const { code, printed } = await runToEnd(testEnv(folder));
    expect(printed).toMatch(said);
    expect(printed).toContain(named(folder));
    expect(printed.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });
});

describe('A data file with a damaged page in the middle', () => {
  it('is named with kurir restore where the page is met: by the log of the service, which goes on, and by commands', async () => {
    const folder = copy('in flight');
    const file = join(folder, 'kurir.sqlite');
    zero(file, 'idempotency');
    const service = await Service.start(folder, {});
    started.push(service);
    const api = new Caller(service.baseUrl, key);
    const mail = { to: 'delivered@x.test', subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: demoDomain };
    const refused = await api.request('POST', '/messages', mail, { 'idempotency-key': 'order-1042' });
    expect(refused).toMatchObject({ status: 500 });
    expect((await api.get('/account')).status).toBe(200);
    expect((await service.terminate()).code).toBe(0);
    expect(service.printed).toContain(`The data file ${file} is damaged`);
    expect(service.printed).toContain('kurir restore');
    // What is copied is what is restored: a damaged file is no backup.
    const operator = await TestOperator.open({ dataDir: folder });
    const { code, err } = await operator.run(['backup', join(dir, 'damaged.tar')]);
    expect(err).toContain(`The data file ${file} is damaged`);
    expect(code).toBe(1);
  });
});

describe('A damaged write-ahead log', () => {
  /** The data with three commits in the log alone, as after a kill. */
  function killed(name: string): string {
    const folder = copy(name);
    const db = new DatabaseSync(join(folder, 'kurir.sqlite'));
    db.exec('PRAGMA wal_autocheckpoint = 0');
    for (const n of [1, 2, 3]) db.exec(`INSERT INTO settings (name, value) VALUES ('commit-${n}', '${n}')`);
    const left = join(dir, `${name} left`);
    cpSync(folder, left, { recursive: true });
    db.close();
    return left;
  }
  const keptIn = (folder: string): string[] => {
    const db = new DatabaseSync(join(folder, 'kurir.sqlite'), { readOnly: true });
    const rows = db.prepare("SELECT name FROM settings WHERE name LIKE 'commit-%' ORDER BY name").all();
    db.close();
    return (rows as { name: string }[]).map(({ name }) => name);
  };

  // docs/operations.md#a-damaged-data-file: commits from the damaged place on are gone without an error
  it.each<[string, (wal: Buffer) => Buffer, string[]]>([
    ['whole', (wal) => wal, ['commit-1', 'commit-2', 'commit-3']],
    ['a damaged last commit', (wal) => wal.fill(0xff, wal.length - 100), ['commit-1', 'commit-2']],
    ['cut off in its last commit', (wal) => wal.subarray(0, wal.length - 100), ['commit-1', 'commit-2']],
    ['a damaged header', (wal) => wal.fill(0xff, 0, 32), []],
    ['zero bytes', () => Buffer.alloc(0), []],
  ])('is read up to the damage, and the service starts on what that leaves: %s', async (what, damage, kept) => {
    const folder = killed(`log ${what}`);
    const wal = join(folder, 'kurir.sqlite-wal');
    writeFileSync(wal, damage(readFileSync(wal)));
    const service = await Service.start(folder, {});
    started.push(service);
    expect((await new Caller(service.baseUrl, key).get('/account')).status).toBe(200);
    expect((await service.terminate()).code).toBe(0);
    expect(service.printed).not.toContain('is damaged');
    expect(keptIn(folder)).toEqual(kept);
  });
});

describe("A damaged file of the sandbox, which is nobody's mail", () => {
  it.each<[string, (file: string) => void, RegExp]>([
    ['garbage', (file) => writeFileSync(file, 'hello\n'.repeat(5_000)), /is damaged .* creates a new one/],
    ['pages of zeros', (file) => zero(file, 2), /is damaged .* creates a new one/],
    ['a folder', (file) => (rmSync(file), mkdirSync(file)), /cannot be used right now: there is a directory/],
  ])('is named by the start and by the commands that read it: %s', async (what, damage, said) => {
    const folder = copy(`sandbox ${what}`);
    const file = join(folder, 'sandbox.sqlite');
    damage(file);
    const { code, printed } = await runToEnd(testEnv(folder));
    expect(printed).toMatch(said);
    expect(printed).toContain(`The sandbox file ${file} `);
    expect(printed.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
    const operator = await TestOperator.open({ dataDir: folder });
    for (const command of [['sandbox', 'inbox'], ['audit'], ['backup', join(dir, `sandbox-${what}.tar`)]]) {
      const asked = await operator.run(command);
      expect(`${command[0]}: ${asked.err}`).toMatch(said);
      expect(asked.err.trim().split('\n')).toHaveLength(1);
      expect(asked.code).toBe(1);
    }
  });
});

describe('Another damaged file of the data dir', () => {
  it.each<[string, RegExp]>([
    ['lock', /^The lock file .*lock is damaged\. Delete it; it holds no data\.\n$/],
    ['smtp-certificate.pem', /smtp-certificate\.pem does not contain a certificate with its key; delete it/],
    ['secret', /^The master secret in .*secret is damaged: restore it from your backup\.\n$/],
  ])('is named by the start: %s', async (name, said) => {
    const folder = copy(`other ${name}`);
    writeFileSync(join(folder, name), 'hello\n');
    if (name === 'lock') writeFileSync(join(folder, name), 'hello\n'.repeat(500));
    const { code, printed } = await runToEnd(testEnv(folder));
    expect(printed).toMatch(said);
    expect(code).toBe(1);
  });

  it('is named by the start: a folder as secret', async () => {
    const folder = copy('secret folder');
    rmSync(join(folder, 'secret'));
    mkdirSync(join(folder, 'secret'));
    expect((await runToEnd(testEnv(folder))).printed).toMatch(/^The master secret .*secret cannot be read: EISDIR/);
  });
});

describe('A start on a folder where none has come to its data', () => {
  it('goes on from an empty data file: a kill in the first moment leaves one', async () => {
    const folder = join(dir, 'first moment');
    mkdirSync(folder);
    writeFileSync(join(folder, 'kurir.sqlite'), '');
    writeFileSync(join(folder, 'secret'), `${'s'.repeat(48)}\n`);
    const service = await Service.start(folder, {});
    started.push(service);
    expect((await service.terminate()).code).toBe(0);
  });

  it('begins no new data file beside a write-ahead log: what was committed last may be in it', async () => {
    const folder = join(dir, 'log alone');
    mkdirSync(folder);
    writeFileSync(join(folder, 'kurir.sqlite-wal'), 'committed');
    const { code, printed } = await runToEnd(testEnv(folder));
    expect(printed).toMatch(/is missing, although the service has run here/);
    expect(code).toBe(1);
  });
});
