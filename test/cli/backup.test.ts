import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SCHEMA_VERSION } from '../../stores/shared/data-file';
import { engineTools } from '../../app/engines/engine-tools';
import { readConfig } from '../../operations/config/config';
import type { Manifest } from '../../operations/backup/manifest';
import { tarHeader } from '../../operations/backup/tar';
import { runCli } from '../../cli/run';
import { auditOf } from '../support/auditing';
import { Running, temporaryDir, temporaryInstallation, testEnv } from '../support/running';
import { TestOperator, type Said } from '../support/test-operator';
import { embeddedInstallation } from '../../proof/crash/installation';
import { eventually } from '../contract/helpers';

const dir = temporaryDir();
const at = (name: string): string => join(dir, name);
const modeOf = (path: string): number => statSync(path).mode & 0o777;
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let running: Running;
let operator: TestOperator;
beforeAll(async () => {
  running = await Running.startOn(temporaryInstallation());
  operator = await TestOperator.open({ dataDir: running.dataDir });
});
afterAll(() => running.stop());

const restore = (file: string, into: string): Promise<Said> => operator.run(['restore', file, '--into', into]);

/** Sends until told to stop; returns the number of mails. */
function load(): { sent(): number; stop(): Promise<number> } {
  let [sent, ended] = [0, false];
  const kinds = ['delivered', 'hardbounce', 'softbounce', 'norecord', 'reject', 'delivered', 'drop'];
  const work = async (): Promise<void> => {
    while (!ended) await running.send(`${kinds[sent % kinds.length]}+${(sent += 1)}@pelanggan.test`);
  };
  const working = Promise.all(Array.from({ length: 6 }, work));
  return { sent: () => sent, stop: () => ((ended = true), working.then(() => sent)) };
}

describe('kurir backup and kurir restore', () => {
  it('beside a service under load: each backup is of one instant, so the audit of what is restored is clean, and it goes on', async () => {
    const loading = load();
    const files = ['1.tar', '2.tar', '3.tar', '4.tar'].map(at);
    for (const file of files) {
      await operator.ask('backup', file);
      const before = loading.sent();
      await eventually(async () => expect(loading.sent()).toBeGreaterThan(before + 20));
    }
    expect(await loading.stop()).toBeGreaterThan(50);
    for (const [n, file] of files.entries()) {
      expect(await restore(file, at(`load-${n}`))).toMatchObject({ code: 0, err: '' });
      const { found, summary } = await auditOf(at(`load-${n}`));
      expect(found).toEqual([]);
      expect(summary.checked.received).toBeDefined();
    }
    const again = await Running.startOn(embeddedInstallation(at('load-3')));
    await again.untilStatus(await again.send('delivered+later@pelanggan.test'), 'delivered');
    await again.rest();
    expect((await auditOf(at('load-3'))).found).toEqual([]);
    expect((await auditOf(running.dataDir)).found).toEqual([]);
  });

  it('one file of mode 0600 with manifest, checksums, store, sandbox, secret and first-run.json; and a line in the trail', async () => {
    const json = (await operator.ask('backup', at('one.tar'))) as unknown as Manifest & { file: string };
    expect(json).toMatchObject({
      file: at('one.tar'),
      schema_version: SCHEMA_VERSION,
      sandbox_schema_version: 1,
      program_version: '0.1.0',
      installation_id: running.kurir.services.installationId,
    });
    expect(modeOf(at('one.tar'))).toBe(0o600);
    expect(existsSync(at('one.tar.unfinished'))).toBe(false);
    mkdirSync(at('untarred'));
    execFileSync('tar', ['xf', at('one.tar'), '-C', at('untarred')]);
    const sums = readFileSync(join(at('untarred'), 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(sums).toEqual(
      ['manifest.json', ...json.files.map(({ name }) => name)].map((name) => `${hashOf(name)}  ${name}`),
    );
    const names = [
      'SHA256SUMS',
      'first-run.json',
      'kurir.sqlite',
      'manifest.json',
      'sandbox.sqlite',
      'secret',
      'smtp-certificate.pem',
    ];
    expect(readdirSync(at('untarred')).sort()).toEqual(names);
    expect(await operator.ask('log', '--limit', '1')).toMatchObject({
      data: [{ action: 'backup', target: at('one.tar') }],
    });
  });

  it('the restored folder has every file with mode 0600, the same secret, and no other', async () => {
    await restore(at('one.tar'), at('modes'));
    const names = ['first-run.json', 'kurir.sqlite', 'sandbox.sqlite', 'secret', 'smtp-certificate.pem'];
    expect(
      readdirSync(at('modes'))
        .filter((name) => name !== 'lock')
        .sort(),
    ).toEqual(names);
    for (const name of names) expect([name, modeOf(join(at('modes'), name))]).toEqual([name, 0o600]);
    expect(modeOf(at('modes'))).toBe(0o700);
    expect(readFileSync(join(at('modes'), 'secret'))).toEqual(readFileSync(join(running.dataDir, 'secret')));
  });

  it('with KURIR_SECRET: the secret is not in it, and both commands say so', async () => {
    const secret = readFileSync(join(running.dataDir, 'secret'), 'utf8').trim();
    const other = await TestOperator.open({ dataDir: running.dataDir, env: { KURIR_SECRET: secret } });
    const { code, out } = await other.run(['backup', at('no-secret.tar')]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('keep KURIR_SECRET separately') as unknown });
    expect((await restore(at('no-secret.tar'), at('no-secret'))).out).toContain(
      'set KURIR_SECRET before you start the service',
    );
    expect(existsSync(join(at('no-secret'), 'secret'))).toBe(false);
  });

  it("leaves out the sandbox's file of another installation, and says so", async () => {
    const { json } = await withCopy('foreign', async (dataDir, copy) => {
      const db = new DatabaseSync(join(dataDir, 'sandbox.sqlite'));
      db.exec("UPDATE installation SET id = 'another'");
      db.close();
      return copy.run(['backup', at('foreign.tar'), '--json']);
    });
    expect(json).toMatchObject({ sandbox_schema_version: null });
    expect(json.notes).toContain('The sandbox file was left out: it belongs to installation another.');
  });
});

/** SHA-256 of a file that tar took out of the backup. */
const hashOf = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(at('untarred'), name)))
    .digest('hex');

/** Restores the backup into a folder, for a command line of its own. */
async function withCopy(name: string, work: (dataDir: string, copy: TestOperator) => Promise<Said>): Promise<Said> {
  await restore(at('one.tar'), at(name));
  return work(at(name), await TestOperator.open({ dataDir: at(name) }));
}

describe('kurir backup refuses, exit code 1, and leaves nothing', () => {
  it.each([
    [
      'a file that exists',
      'exists.tar',
      /^.*exists\.tar already exists, and a backup never overwrites a file\. Use another name\.\n$/,
    ],
    ['a folder that does not', 'nowhere/a.tar', /^The backup .*nowhere\/a\.tar cannot be written: .*\n$/],
    [
      'what a killed one left',
      'killed.tar',
      /^.*killed\.tar\.unfinished already exists: another backup is being written/,
    ],
  ])('%s', async (_, name, reason) => {
    writeFileSync(at('exists.tar'), 'precious');
    mkdirSync(at('killed.tar.unfinished'), { recursive: true });
    const before = readdirSync(dir);
    const { code, out, err } = await operator.run(['backup', at(name)]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(reason);
    expect(readdirSync(dir)).toEqual(before);
    expect(readFileSync(at('exists.tar'), 'utf8')).toBe('precious');
  });

  it('no data, and a folder that cannot be written', async () => {
    const nowhere = await TestOperator.open({ dataDir: at('no-data') });
    expect(await nowhere.run(['backup', at('a.tar')])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no data in .*no-data/) as unknown,
    });
    expect(existsSync(at('a.tar'))).toBe(false);
  });
});

/** The backup with its bytes changed. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
  writeFileSync(at(name), change(readFileSync(at('one.tar'))));
  chmodSync(at(name), 0o600);
  return at(name);
}

/** The backup with another manifest. */
const withManifest = (name: string, change: (manifest: Manifest) => object): string =>
  changed(name, (bytes) => {
    const size = Number.parseInt(bytes.toString('latin1', 124, 135), 8);
    const text = JSON.stringify(change(JSON.parse(bytes.toString('utf8', 512, 512 + size)) as Manifest));
    const blocks = Math.ceil(size / 512) * 512;
    const content = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    content.write(text);
    return Buffer.concat([
      tarHeader({ name: 'manifest.json', size: text.length }, 0),
      content,
      bytes.subarray(512 + blocks),
    ]);
  });

describe('kurir restore refuses, exit code 1, and leaves the folder empty', () => {
  it.each([
    [
      'a file that is none',
      () => changed('none.tar', () => Buffer.from('halo'.repeat(1_000))),
      /is not a complete backup made by kurir backup/,
    ],
    [
      'an empty file',
      () => changed('empty.tar', () => Buffer.alloc(0)),
      /is not a complete backup made by kurir backup/,
    ],
    [
      'one that was cut off',
      () => changed('cut.tar', (bytes) => bytes.subarray(0, bytes.length / 2)),
      /not a complete backup/,
    ],
    [
      'one without its checksums',
      () => changed('sums.tar', (bytes) => bytes.subarray(0, bytes.length - 2_048)),
      /not a complete backup/,
    ],
    [
      'one with a bit that changed',
      () => changed('bit.tar', (bytes) => (bytes.writeUInt8(bytes.readUInt8(200_000) ^ 1, 200_000), bytes)),
      /is damaged: the content of .*\.sqlite has changed/,
    ],
    [
      'a newer schema',
      () => withManifest('newer.tar', (manifest) => ({ ...manifest, schema_version: 99 })),
      /the backup \S*newer\.tar has schema version 99, but this release supports \d+: restore it with a newer release of Kurir/,
    ],
    [
      'one of a version before the first release',
      () => withManifest('before.tar', ({ schema_since: _, ...manifest }) => ({ ...manifest, schema_version: 20 })),
      /^The backup \S*before\.tar was made by a version before 0\.1\.0, which was never released: restore it with that/,
    ],
    [
      'a newer format',
      () => withManifest('format.tar', (manifest) => ({ ...manifest, format: 2 })),
      /The backup \S*format\.tar has format 2/,
    ],
    ['a folder', () => running.dataDir, /^The backup \S+ cannot be read: EISDIR/],
    [
      'a manifest that names other files',
      () => withManifest('names.tar', (manifest) => ({ ...manifest, files: [{ name: '../x', size: 1 }] })),
      /names\.tar is not a backup made by kurir backup: its manifest is damaged/,
    ],
    ['a file that is not there', () => at('not-there.tar'), /cannot be read: ENOENT/],
  ])('%s', async (what, make, reason) => {
    const into = at(`refused ${what}`);
    const { code, out, err } = await restore(make(), into);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(reason);
    expect(existsSync(into) ? readdirSync(into).filter((name) => name !== 'lock') : []).toEqual([]);
  });

  it('a folder with anything in it, which stays, and one that a service uses', async () => {
    mkdirSync(at('full'));
    writeFileSync(join(at('full'), 'a'), 'precious');
    const full = await restore(at('one.tar'), at('full'));
    expect({ code: full.code, err: full.err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^.*full \(KURIR_DATA_DIR\) is not empty \(a\): a restore never replaces data\./,
      ) as unknown,
    });
    expect(readFileSync(join(at('full'), 'a'), 'utf8')).toBe('precious');
    expect((await restore(at('one.tar'), running.dataDir)).err).toMatch(/is in use by process \d+/);
  });

  it('takes the folder in which a cluster keeps its sandbox', async () => {
    mkdirSync(join(at('beside'), 'cluster'), { recursive: true });
    expect((await restore(at('one.tar'), at('beside'))).code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['backup', ['backup', at('stopped.tar')]],
    ['restore', ['restore', at('one.tar'), '--into', at('stopped')]],
  ])('ends kurir %s with exit code 130, and leaves nothing', async (_, argv) => {
    const out: string[] = [];
    const sink = { write: (text: string) => out.push(text) };
    const code = await runCli(argv, {
      stdout: sink,
      stderr: sink,
      stdin: Readable.from([]),
      tools: async () => engineTools,
      config: () => readConfig(testEnv(running.dataDir)),
      interrupts: () => AbortSignal.abort(),
    });
    expect({ code, out }).toEqual({ code: 130, out: ['Stopped; nothing was kept.\n'] });
    expect(readdirSync(dir).filter((name) => name.startsWith('stopped.tar'))).toEqual([]);
    expect(existsSync(at('stopped')) ? readdirSync(at('stopped')) : []).toEqual(
      existsSync(at('stopped')) ? ['lock'] : [],
    );
  });
});

describe('on the cluster engine', () => {
  const env = {
    KURIR_ENGINE: 'cluster',
    KURIR_SECRET: 'x'.repeat(32),
    KAFKA_BROKERS: '127.0.0.1:1',
    MONGODB_URL: 'mongodb://127.0.0.1:1',
    REDIS_URL: 'redis://127.0.0.1:1',
  };
  it.each([
    ['backup', /mongodump --oplog/],
    ['restore', /mongorestore/],
  ])('kurir %s says what to use instead, exit code 1', async (command, tool) => {
    const cluster = await TestOperator.open({ dataDir: at('cluster'), env });
    const { code, out, err } = await cluster.run([command, at('one.tar')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(tool);
  });
});
