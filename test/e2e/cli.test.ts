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

  it('names a wrong argument and where there is no data, exit code 1', async () => {
    await expect(kurir(['switch', 'mail', 'on'])).rejects.toMatchObject({ code: 1 });
    await expect(kurir(['switch', 'api', 'on'], join(dataDir, 'nowhere'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KURIR_DATA_DIR') as unknown,
    });
  });
});
