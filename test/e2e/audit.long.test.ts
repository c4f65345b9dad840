import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import type { FirstRun } from '../../operations/installation/first-run';
import type { Installation } from '../../proof/crash/installation';
import { auditOf, type Audited } from '../support/auditing';
import { describeOnEngines } from '../support/engines';
import { Caller, temporaryDir, testEnv } from '../support/running';
import { kurir as kurirOn, PROGRAM_DIR, readDemo, Service } from '../support/service';

const ENV = { KURIR_EVIDENCE_WAIT: '3s' };
const KINDS = ['delivered', 'hardbounce', 'reject', 'complaint', 'expired', 'norecord', 'drop', 'defer', 'greylist'];
const MAILS = 300;

/** Sends mail of every kind and forces some sends, many at once. */
async function load({ api_key, base_url, sending_domain_id }: FirstRun): Promise<void> {
  const api = new Caller(base_url, api_key);
  let n = 0;
  const work = async (): Promise<void> => {
    while (n < MAILS) {
      n += 1;
      const to = n % 40 === 0 ? `bukan alamat ${n % 3}` : `${KINDS[n % KINDS.length]}+${n}@beban.test`;
      const mail = { to, subject: 'Halo', html: '<p>Halo</p>', sending_domain_id };
      const { status } = await api.request('POST', '/messages', mail, {
        'idempotency-key': `beban-${n % 5 === 0 ? n - 1 : n}`,
      });
      if (![200, 201, 422].includes(status)) throw new Error(`POST /messages answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

describeOnEngines('kurir audit', (install) => {
  let installation: Installation;
  let service: Service;
  beforeAll(async () => {
    installation = install();
    service = await Service.start(installation, ENV);
  });
  afterAll(async () => {
    await service.kill();
    await installation.remove();
  });

  const kurir = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    kurirOn(installation, ['audit', ...args]);

  it('finds nothing beside a service under load, at any moment, nor after its death and restart', async () => {
    const audits: Audited[] = [];
    const underLoad = { ended: false };
    const loading = load(await readDemo(service, installation)).finally(() => (underLoad.ended = true));
    while (!underLoad.ended) audits.push(await auditOf(installation));
    await loading;
    for (let more = 0; more < 3; more += 1) audits.push(await auditOf(installation));
    await service.kill();
    audits.push(await auditOf(installation));
    service = await Service.start(installation, ENV);
    for (let more = 0; more < 5; more += 1) audits.push(await auditOf(installation));
    expect(audits.flatMap(({ found }) => found)).toEqual([]);
    expect(audits.length).toBeGreaterThan(9);
    expect(audits.at(-1)!.summary.checked['messages']).toBeGreaterThan(200);
  });

  it('says that everything adds up and how much it looked at, exit code 0, no progress off a terminal', async () => {
    const { stdout, stderr } = await kurir();
    expect(stdout).toMatch(
      /^No differences found: 1 workspace, \d+ messages, .*, \d+ emails in the sandbox checked in \d+\.\d s\.\n$/,
    );
    expect(stderr).toBe('');
  });

  it('answers one JSON object with --json', async () => {
    const { stdout } = await kurir('--json', '--no-sandbox');
    expect(JSON.parse(stdout)).toEqual({
      found: [],
      ok: true,
      differences: 0,
      groups: [],
      sandbox: null,
      notes: [],
      checked: expect.objectContaining({
        workspaces: 1,
        days: expect.any(Number) as unknown,
        received: null,
      }) as unknown,
      ms: expect.any(Number) as unknown,
    });
  });

  it('exits with 2 for wrong usage', async () => {
    await expect(kurir('--fast')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--fast') as unknown,
    });
  });

  it('prints each difference with both figures and exits with 1', async () => {
    await service.terminate();
    await addCoins(installation, 7);
    const fails = async (...args: string[]): Promise<{ code: number; stdout: string }> =>
      kurir(...args).then(
        () => ({ code: 0, stdout: '' }),
        (error: unknown) => error as { code: number; stdout: string },
      );
    const text = await fails();
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(
      /^balance: 1 difference\n {2}likely cause: .*\n {2}workspace 1\n {4}expected {2}-?\d+\n {4}found {5}-?\d+\n/,
    );
    expect(text.stdout).toMatch(/\n2 differences: 1 workspace,/);
    const json = await fails('--json');
    expect(json.code).toBe(1);
    const { found, differences, ok } = JSON.parse(json.stdout) as Audited & { differences: number; ok: boolean };
    expect({ rules: found.map(({ rule }) => rule), differences, ok }).toEqual({
      rules: ['balance', 'balance-by-messages'],
      differences: 2,
      ok: false,
    });
    expect(Number(found[0]!.found) - Number(found[0]!.expected)).toBe(7);
  });

  it('ends without a word when its reader has seen enough, exit code 1', async () => {
    await tripleLedger(installation);
    for (const args of [['--all'], ['--json']]) {
      const child = spawn(process.execPath, [join(__dirname, '../../app/program/bin/kurir.js'), 'audit', ...args], {
        cwd: PROGRAM_DIR,
        env: { PATH: process.env.PATH, ...testEnv(installation) },
      });
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.stdout.destroy();
      const [code] = (await once(child, 'close')) as [number | null];
      expect({ code, err }).toEqual({ code: 1, err: '' });
    }
  });
});

describe('kurir audit where there is no data', () => {
  it('names the data dir, exit code 1', async () => {
    await expect(kurirOn(join(temporaryDir(), 'nowhere'), ['audit'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KURIR_DATA_DIR') as unknown,
    });
  });
});

/** Damage that no port can do: every balance is so many coins above its ledger. */
const addCoins = (installation: Installation, coins: number): Promise<void> =>
  damage(installation, `UPDATE balances SET balance = balance + ${coins}`, (db) =>
    db.collection('accounts').updateMany({}, { $inc: { balance: coins } }),
  );

/** So many differences that a reader has seen enough of them. */
const tripleLedger = (installation: Installation): Promise<void> =>
  damage(installation, 'UPDATE ledger SET amount = amount * 3', (db) =>
    db.collection('ledger').updateMany({}, { $mul: { amount: 3 } }),
  );

async function damage(
  { engine, env }: Installation,
  sql: string,
  onMongo: (db: Db) => Promise<unknown>,
): Promise<void> {
  if (engine === 'cluster') {
    const client = new MongoClient(env['MONGODB_URL'] ?? '');
    await onMongo(client.db(env['MONGODB_DATABASE']));
    return client.close();
  }
  const db = new DatabaseSync(join(env['KURIR_DATA_DIR'] ?? '', 'kurir.sqlite'));
  db.exec(sql);
  db.close();
}
