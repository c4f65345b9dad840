import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Caller, temporaryDir, testEnv } from '../support/running';
import { readFirstRun, Service } from '../support/service';

const run = promisify(execFile);
const dataDir = temporaryDir();
let service: Service;
let api: Caller;
beforeAll(async () => {
  service = await Service.start(dataDir, {});
  const demo = readFirstRun(dataDir);
  api = new Caller(demo.base_url, demo.api_key);
}, 60_000);
afterAll(async () => {
  await service.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const kurir = (args: string[], dir = dataDir): Promise<{ stdout: string }> =>
  run(process.execPath, [join(__dirname, '../../bin/kurir.js'), ...args], {
    env: { PATH: process.env.PATH, ...testEnv(dir) },
  });

describe('kurir switch, beside the running service', () => {
  it('api off: every endpoint answers 503 at once, until it is on again', async () => {
    expect((await kurir(['switch', 'api', 'off'])).stdout).toBe('api is off\n');
    expect((await api.get('/account')).status).toBe(503);
    await kurir(['switch', 'api', 'on']);
    expect((await api.get('/account')).status).toBe(200);
  });

  it('module off: 403 `Modul Email Marketing sedang tidak tersedia.`', async () => {
    await kurir(['switch', 'module', 'off']);
    const { status, body } = await api.get('/domains');
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'Modul Email Marketing sedang tidak tersedia.',
    });
    await kurir(['switch', 'module', 'on']);
    expect((await api.get('/domains')).status).toBe(200);
  });

  it('names a wrong argument, exit code 2, and where there is no data, exit code 1', async () => {
    await expect(kurir(['switch', 'mail', 'on'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('<what> must be one of api, module') as unknown,
    });
    await expect(kurir(['switch', 'api', 'on'], join(dataDir, 'nowhere'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KURIR_DATA_DIR') as unknown,
    });
  });
});

describe('kurir, many at once beside the running service', () => {
  it('20 processes book coins while mail is accepted: every one, once, and no request is lost', async () => {
    const demo = readFirstRun(dataDir);
    const before = JSON.parse((await kurir(['coins', 'balance', 'Demo', '--json'])).stdout) as { balance: number };
    const done = new AbortController();
    const accepted: string[] = [];
    const mail = (async () => {
      while (!done.signal.aborted)
        accepted.push(await api.send(`norecord+${accepted.length}@example.test`, demo.sending_domain_id));
    })();
    const booked = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { stdout } = await kurir([
          'coins',
          'grant',
          'Demo',
          String(n + 1),
          '--reference',
          `at-once-${n}`,
          '--json',
        ]);
        return (JSON.parse(stdout) as { booked: boolean }).booked;
      }),
    );
    done.abort();
    await mail;
    expect(booked).toEqual(Array(20).fill(true));
    expect(accepted.length).toBeGreaterThan(0);
    const { data } = JSON.parse((await kurir(['coins', 'ledger', 'Demo', '--limit', '1000', '--json'])).stdout) as {
      data: { id: string; coins: number; kind: string }[];
    };
    const grants = data.filter(({ kind }) => kind === 'grant').map(({ coins }) => coins);
    expect(grants.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    const statuses = await Promise.all(accepted.map(async (id) => (await api.get(`/messages/${id}`)).status));
    expect(statuses).toEqual(accepted.map(() => 200));
    expect(before.balance).toBeGreaterThan(0);
  }, 120_000);

  it('demo answers what first-run.json holds, again and again, also when the service is down', async () => {
    const first = readFirstRun(dataDir);
    expect(JSON.parse((await kurir(['demo', '--json'])).stdout)).toEqual(first);
    await service.kill();
    const port = new URL(first.base_url).port;
    const { stdout } = await run(process.execPath, [join(__dirname, '../../bin/kurir.js'), 'demo', '--json'], {
      env: { PATH: process.env.PATH, ...testEnv(dataDir), KURIR_HTTP_PORT: port },
    });
    expect(JSON.parse(stdout)).toEqual(first);
  }, 60_000);
});
