import { afterAll, describe, expect, it } from '@jest/globals';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readMail } from '../email/support/read-mail';
import { Caller, temporaryDir, testEnv } from '../support/running';
import { readFirstRun, runToEnd, Service } from '../support/service';
import { giveUpAt } from '../support/limits';

const dir = temporaryDir();
const dataDir = (name: string): string => join(dir, name);
const services: Service[] = [];
afterAll(async () => {
  for (const service of services) await service.kill();
  rmSync(dir, { recursive: true, force: true });
});

async function start(name: string, env: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start(dataDir(name), env);
  services.push(service);
  return service;
}

/** The mails of an inbox once there are so many. */
async function arrived(inbox: string, count: number): Promise<{ id: number }[]> {
  for (const end = giveUpAt(); performance.now() < end;) {
    const { data } = (await (await fetch(inbox, { headers: { accept: 'application/json' } })).json()) as {
      data: { id: number }[];
    };
    if (data.length >= count) return data;
    await setTimeout(100);
  }
  throw new Error(`${count} mails did not arrive`);
}

describe('the first start on an empty data dir', () => {
  // spec: docs/contract.md#api-keys: key format: 9-character prefix, 32 letters or digits
  // spec: docs/contract.md#smtp-logins: SMTP username: 3-letter prefix and 6 digits; password 32 characters
  it('makes a demo workspace, says so in one record without the key where no terminal is, and writes first-run.json with mode 0600', async () => {
    const service = await start('first');
    const run = readFirstRun(dataDir('first'));
    expect(run.base_url).toMatch(/\/v1$/);
    expect(run.smtp.username).toMatch(/^kur\d{6}$/);
    expect(run.smtp.password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(run.api_key).toMatch(/^kurir_sk_[A-Za-z0-9]{32}$/);
    expect(statSync(join(dataDir('first'), 'first-run.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir('first'), 'secret')).mode & 0o777).toBe(0o600);
    const file = join(dataDir('first'), 'first-run.json');
    expect(service.logged.filter(({ msg }) => msg.includes('demo workspace'))).toMatchObject([{ file }]);
    expect(service.printed).not.toContain('curl');
    for (const secret of [run.api_key, run.smtp.password]) expect(service.printed).not.toContain(secret);
    const { body } = await new Caller(run.base_url, run.api_key).get('/account');
    expect(body).toMatchObject({
      workspace: { business_address_set: true },
      modules: ['email_marketing'],
      api_key: { scopes: ['send_email', 'manage_contacts', 'manage_webhooks'] },
      email: {
        coins: 100_000,
        premium: true,
        domains: [
          { id: run.sending_domain_id, domain: 'demo.kurir.test', status: 'active', category: 'marketing' },
          { id: run.transactional_domain_id, domain: 'notify.kurir.test', status: 'active', category: 'transactional' },
        ],
      },
    });
    expect((await fetch(run.inbox_url!)).status).toBe(200);
  });

  it('hands over attachments whole, beside mails without any, through its threads', async () => {
    await start('attached');
    const {
      base_url: url,
      api_key: key,
      sending_domain_id: domain,
      inbox_url: inbox,
    } = readFirstRun(dataDir('attached'));
    const caller = new Caller(url, key);
    const sizes = [1, 57, 3_000, 3_000, 2_000_000];
    const contents = sizes.map((size, n) => Buffer.alloc(size, `inhalt ${n} `));
    const attachments = contents.map((content, n) => ({ filename: `${n}.txt`, content: content.toString('base64') }));
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, n) => caller.send(`delivered+${n}@a.test`, domain, n % 2 ? { attachments } : {})),
    );
    for (const { id } of await arrived(inbox!, ids.length)) {
      const mail = await readMail(Buffer.from(await (await fetch(`${inbox}/${id}/source`)).arrayBuffer()));
      const n = ids.indexOf(mail.headers.find((header) => header.key === 'x-message-id')!.value);
      const whole = mail.attachments.map(({ content }, i) => Buffer.from(content as ArrayBuffer).equals(contents[i]!));
      expect(whole).toEqual(n % 2 ? sizes.map(() => true) : []);
    }
  });

  it('is the only one: later starts change nothing', async () => {
    const first = await start('later');
    const written = readFileSync(join(dataDir('later'), 'first-run.json'), 'utf8');
    expect((await first.terminate()).code).toBe(0);
    const again = await start('later');
    expect(again.printed).not.toContain('demo workspace');
    expect(readFileSync(join(dataDir('later'), 'first-run.json'), 'utf8')).toBe(written);
  });

  // spec: docs/contract.md#api-keys: keys can be viewed again
  it('that was killed before it was done is completed by the next', async () => {
    const first = await start('cut');
    const written = readFirstRun(dataDir('cut'));
    await first.kill();
    // As if killed between the workspace and the note that it was made.
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(join(dataDir('cut'), 'kurir.sqlite'));
    db.exec("DELETE FROM settings WHERE name = 'first_run'");
    db.close();
    rmSync(join(dataDir('cut'), 'first-run.json'));
    await start('cut');
    const completed = readFirstRun(dataDir('cut'));
    expect(completed.api_key).toBe(written.api_key);
    const { body } = await new Caller(completed.base_url, completed.api_key).get('/account');
    expect(body).toMatchObject({ workspace: { id: 1 }, email: { coins: 100_000 } });
  });
});

describe('a start on the embedded engine', () => {
  it("loads no library of the cluster engine's servers, in none of its threads", async () => {
    const preload = join(dir, 'loaded.cjs');
    writeFileSync(
      preload,
      `process.on('exit', () => require('node:fs').writeSync(2, Object.keys(require.cache).map((file) => 'LOADED ' + file + '\\n').join('')));`,
    );
    const service = await start('loaded', { NODE_OPTIONS: `--require ${preload}` });
    expect((await service.terminate()).code).toBe(0);
    const loaded = service.printed.split('\n').filter((line) => line.startsWith('LOADED '));
    const of = (library: string): string[] => loaded.filter((line) => line.includes(`node_modules/${library}/`));
    expect(of('@photostructure/sqlite')).not.toEqual([]);
    for (const library of ['mongodb', 'bson', 'kafkajs', 'node-rdkafka', 'ioredis']) expect(of(library)).toEqual([]);
  });
});

describe('a start that cannot be', () => {
  it('lists every fault of the configuration, exit code 1', async () => {
    const { code, printed } = await runToEnd({
      KURIR_HTTP_PORT: 'x',
      KURIR_ENGINE: 'cloud',
      KURIR_EVIDENCE_WAIT: '4 days',
    });
    expect(code).toBe(1);
    for (const name of ['KURIR_HTTP_PORT', 'KURIR_ENGINE', 'KURIR_EVIDENCE_WAIT']) expect(printed).toContain(name);
    expect(printed).not.toContain('    at ');
  });

  it.each(['KURIR_HTTP_PORT', 'KURIR_SMTP_PORT', 'KURIR_SMTPS_PORT', 'KURIR_BOUNCE_PORT', 'KURIR_SANDBOX_PORT'])(
    'says in one line that the port of %s is taken, exit code 1, and announces nothing',
    async (variable) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => taken.once('listening', resolve));
      const port = String((taken.address() as AddressInfo).port);
      const name = `taken-${variable}`;
      const { code, printed } = await runToEnd({ ...testEnv(dataDir(name)), [variable]: port });
      taken.close();
      expect(code).toBe(1);
      expect(printed).toMatch(new RegExp(`^Port ${port} .*is already in use.*${variable}.*\\n$`));
    },
  );

  it('says that the data dir is in use, by which process, exit code 1, and leaves that one alone', async () => {
    const first = await start('used');
    const { code, printed } = await runToEnd(testEnv(dataDir('used')));
    expect(code).toBe(1);
    expect(printed).toMatch(/^The data directory .* is in use by process \d+\.\n$/);
    const run = readFirstRun(dataDir('used'));
    expect((await new Caller(run.base_url, run.api_key).get('/account')).status).toBe(200);
    await first.kill();
    await start('used');
  });

  it('says that the data dir cannot be written, exit code 1', async () => {
    writeFileSync(dataDir('a-file'), '');
    const { code, printed } = await runToEnd(testEnv(join(dataDir('a-file'), 'below')));
    expect(code).toBe(1);
    expect(printed).toMatch(/^The data directory .*KURIR_DATA_DIR.* cannot be written: .*\n$/);
  });

  it('says what is wrong with the URL of the sending server', async () => {
    const url = await runToEnd({ ...testEnv(dataDir('mta')), KURIR_MTA_URL: 'smtp://127.0.0.1:25?ignoreTLS=maybe' });
    expect(url).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/^KURIR_MTA_URL must have true or false for ignoreTLS .*\n$/) as unknown,
    });
  });

  it('says that the master secret is missing beside its data', async () => {
    const first = await start('no-secret');
    await first.kill();
    rmSync(join(dataDir('no-secret'), 'secret'));
    const secret = await runToEnd(testEnv(dataDir('no-secret')));
    expect(secret).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/^The master secret .* is missing/) as unknown,
    });
  });

  it('refuses the data of a newer program, and of another master secret', async () => {
    const first = await start('newer');
    await first.kill();
    const other = await runToEnd({ ...testEnv(dataDir('newer')), KURIR_SECRET: 'x'.repeat(40) });
    expect(other.code).toBe(1);
    expect(other.printed).toMatch(/master secret .* does not match this data/);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(join(dataDir('newer'), 'kurir.sqlite'));
    db.exec('PRAGMA user_version = 999');
    db.close();
    const { code, printed } = await runToEnd(testEnv(dataDir('newer')));
    expect(code).toBe(1);
    expect(printed).toMatch(/schema version 999/);
  });
});

describe('SIGTERM', () => {
  it('drains what is being handed over and ends with exit code 0', async () => {
    const service = await start('drain');
    const run = readFirstRun(dataDir('drain'));
    const api = new Caller(run.base_url, run.api_key);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.send(`slow+${i}@x.test`, run.sending_domain_id)),
    );
    await setTimeout(1_000);
    expect((await service.terminate()).code).toBe(0);
    await start('drain');
    const later = readFirstRun(dataDir('drain'));
    expect(later).toEqual(run);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(join(dataDir('drain'), 'kurir.sqlite'), { readOnly: true });
    const rows = db.prepare('SELECT attempt, status FROM messages').all() as { attempt: number; status: string }[];
    db.close();
    expect(rows).toHaveLength(ids.length);
    expect(rows.filter(({ attempt }) => attempt !== 1)).toEqual([]);
  });
});

describe('the thread of the store', () => {
  it.each(['process.exit(3)', "throw new Error('broken')"])(
    'that ends by itself (%s) ends the program, and the next start finds what was acknowledged',
    async (end) => {
      const name = `gone ${end.length}`;
      const preload = join(dir, `end-${end.length}.cjs`);
      writeFileSync(
        preload,
        `const { isMainThread, workerData } = require('node:worker_threads');
         const { existsSync } = require('node:fs');
         if (!isMainThread) setInterval(() => { if (existsSync(workerData.file + '.end')) ${end}; }, 20);`,
      );
      const service = await start(name, { NODE_OPTIONS: `--require ${preload}` });
      const run = readFirstRun(dataDir(name));
      const id = await new Caller(run.base_url, run.api_key).send('delivered@x.test', run.sending_domain_id);
      writeFileSync(join(dataDir(name), 'kurir.sqlite.end'), '');
      expect((await service.ended).code).toBe(1);
      expect(service.printed).toContain('kurir is stopping: its store failed');
      rmSync(join(dataDir(name), 'kurir.sqlite.end'));
      const again = await start(name);
      expect(again.printed).toContain('kurir is running');
      const port = /"base_url":"([^"]+)"/.exec(again.printed)![1]!;
      expect((await new Caller(port, run.api_key).get(`/messages/${id}`)).status).toBe(200);
    },
  );
});
