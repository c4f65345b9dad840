import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../operations/config/config';
import { startKurir } from '../../app/kurir';
import { temporaryDir, testEnv } from '../support/running';
import { KURIR, kurir, PROGRAM_DIR, readFirstRun, runToEnd, Service } from '../support/service';

const ROOT = join(__dirname, '../..');
const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const services: Service[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
});

/** An empty folder with such a `.env`, to run a program in. */
function folderWith(name: string, env: string): string {
  const folder = join(dir, name);
  mkdirSync(folder);
  writeFileSync(join(folder, '.env'), env);
  return folder;
}

async function start(folder: string, env: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start(join(folder, 'data'), env, [], folder);
  services.push(service);
  return service;
}

const cli = (folder: string, args: string[]): ReturnType<typeof kurir> =>
  kurir(join(folder, 'data'), args, {}, KURIR, folder);

describe('.env in the folder where the service and the command line run', () => {
  it('is read by both; the environment wins', async () => {
    const folder = folderWith(
      'both',
      'KURIR_HOSTS=a.example\nKURIR_HTTP_PORT=1\nKURIR_PUBLIC_URL=http://localhost:8161\n',
    );
    await start(folder);
    expect(readFirstRun(join(folder, 'data')).base_url).toBe('http://localhost:8161/v1');
    expect((JSON.parse((await cli(folder, ['demo', '--json'])).stdout) as { base_url: string }).base_url).toBe(
      'http://localhost:8161/v1',
    );
    expect((await cli(folder, ['workspace', 'list'])).stdout).toContain('Demo');
  });

  it('with a mistyped name: both say which was meant, and --json stays JSON alone', async () => {
    const folder = folderWith('typo', 'KURIR_HTP_PORT=8161\n');
    const meant = 'KURIR_HTP_PORT is not a setting. Did you mean KURIR_HTTP_PORT?';
    const service = await start(folder);
    expect(service.logged).toContainEqual(expect.objectContaining({ level: 40, msg: meant }));
    expect((await cli(folder, ['workspace', 'list'])).stderr).toBe(`${meant}\n`);
    expect((await cli(folder, ['workspace', 'list', '--json'])).stderr).toBe('');
  });

  it('that is wrong ends both, with the file and the line', async () => {
    const folder = folderWith('wrong', 'KURIR_HTTP_PORT 8161\n');
    const line = `${join(folder, '.env')}, line 1: must be NAME=value, a comment (#) or empty.\n`;
    expect(await runToEnd({}, folder)).toEqual({ code: 1, printed: line });
    await expect(cli(folder, ['workspace', 'list'])).rejects.toMatchObject({ code: 1, stderr: line });
  });
});

it('a mistyped name is among the faults of a configuration that is refused', async () => {
  const { code, printed } = await runToEnd({ KURIR_ENGINE: 'cluster', KURIR_SECRT: 'x'.repeat(32) });
  expect(code).toBe(1);
  expect(printed).toContain('KURIR_SECRET is required by the cluster engine');
  expect(printed).toContain('KURIR_SECRT is not a setting. Did you mean KURIR_SECRET?\n');
});

describe('the first start without a demo workspace', () => {
  const REAL = { KURIR_MTA_URL: 'smtp://127.0.0.1:9' };

  it.each([
    ['with a sending server', REAL],
    ['with KURIR_DEMO=false', { KURIR_DEMO: 'false' }],
  ])('%s: says what to do instead, until there is a workspace', async (name, env) => {
    const folder = folderWith(name, '');
    const data = join(folder, 'data');
    for (const again of [false, true]) {
      const service = await start(folder, env);
      expect([again, service.printed]).toEqual([
        again,
        expect.stringContaining('create one with kurir workspace create'),
      ]);
      expect(service.printed).not.toContain('curl');
      expect(existsSync(join(data, 'first-run.json'))).toBe(false);
      expect((await kurir(data, ['workspace', 'list', '--json'])).stdout).toContain('"data": []');
      await service.terminate();
    }
    await kurir(data, ['workspace', 'create', 'Toko Melati', '--address', 'Jl. Melati 1, Bandung'], env);
    expect((await start(folder, env)).printed).not.toContain('npx kurir');
  });

  it('every command that a terminal is shown is one that works', async () => {
    const folder = folderWith('printed', '');
    const config = readConfig({ ...testEnv(join(folder, 'data')), ...REAL });
    const { firstSteps, stop } = await startKurir(config, { logger: pino({ level: 'silent' }) });
    await stop();
    const commands = [...firstSteps!.text.matchAll(/^npx kurir (.*?)( +#.*)?$/gm)].map(([, line = '']) => line);
    expect(commands.length).toBeGreaterThan(2);
    for (const line of commands) {
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      await kurir(join(folder, 'data'), args);
    }
  });

  it('with KURIR_DEMO=true there is one beside a sending server', async () => {
    const folder = folderWith('wanted', '');
    await start(folder, { ...REAL, KURIR_DEMO: 'true' });
    expect(readFirstRun(join(folder, 'data')).inbox_url).toBeNull();
  });
});

describe("a developer's own .env", () => {
  // All others start them by proof/crash/stage/child.ts, whose own test holds its folder.
  const SPAWNS = /(?:spawn|execFile\)?)\([^;]*(?:kurird|kurir)\.js'[^;]*;/g;
  const sources = ['test', 'proof'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );

  it('has no influence on tests and benches: they run the programs in another folder', async () => {
    const service = await start(folderWith('elsewhere', ''));
    expect(readlinkSync(`/proc/${service.pid}/cwd`)).toBe(join(dir, 'elsewhere'));
    expect(existsSync(join(PROGRAM_DIR, '.env'))).toBe(false);
    const calls = sources.flatMap((name) =>
      [...readFileSync(join(ROOT, name), 'utf8').matchAll(SPAWNS)].map(([call]) => ({ name, call })),
    );
    expect(calls.length).toBeGreaterThan(1);
    for (const { name, call } of calls) expect([name, /\bcwd\b/.test(call)]).toEqual([name, true]);
  });
});
