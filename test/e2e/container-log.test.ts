import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Child } from '../../proof/crash/stage/child';
import { temporaryDir, testEnv } from '../support/running';
import { PROGRAM_DIR, readFirstRun, Service } from '../support/service';
import { eventually } from '../contract/helpers';

const dir = temporaryDir();
const started: Service[] = [];
afterAll(async () => {
  for (const service of started) await service.kill();
  rmSync(dir, { recursive: true, force: true });
});

interface Line {
  level: number;
  msg: string;
  stream?: string;
  err?: { message: string };
}

/** Each line that was printed, as whoever collects the log of a container reads it. Throws where one is no JSON. */
const parsed = (printed: string): Line[] =>
  printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

async function start(name: string, env: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start(join(dir, name), env);
  started.push(service);
  return service;
}

/** The lines of a start that does not come about, and its exit code. */
async function failed(env: Record<string, string>): Promise<{ code: number | null; lines: Line[] }> {
  const child = new Child(join(PROGRAM_DIR, 'kurird.js'), [], { env: { PATH: process.env.PATH, ...env } });
  const { code } = await child.ended;
  return { code, lines: parsed(child.printed) };
}

describe('The output of the service where no terminal is', () => {
  // docs/operations.md#logs: one record in place of the welcome
  it('is JSON line by line from the first start to the stop, with one record of the demo workspace and no secret', async () => {
    const service = await start('first');
    const { api_key: key, smtp, sending_domain_id: domain } = readFirstRun(join(dir, 'first'));
    expect((await service.terminate()).code).toBe(0);
    const lines = parsed(service.printed);
    expect(lines.filter(({ msg }) => msg.includes('demo'))).toEqual([
      expect.objectContaining({
        level: 30,
        msg: expect.stringContaining('kurir demo') as unknown,
        file: join(dir, 'first', 'first-run.json'),
        sending_domain_id: domain,
      }),
    ]);
    for (const secret of [key, smtp.password]) expect(service.printed).not.toContain(secret);
    expect(lines.at(-1)?.msg).toBe('kurir stopped');
  });

  it('has one record that says what to do first where there is no demo workspace', async () => {
    const service = await start('empty', { KURIR_DEMO: 'false' });
    const said = parsed(service.printed).filter(({ msg }) => msg.includes('kurir workspace create'));
    expect(said).toHaveLength(1);
    expect((await service.terminate()).code).toBe(0);
  });

  it('has what libraries print and Node warns of as records, of the program and of its threads', async () => {
    const preload = join(dir, 'noisy.cjs');
    const noise = `const { isMainThread, workerData } = require('node:worker_threads');
      const from = isMainThread ? 'main' : 'thread';
      setTimeout(() => {
        process.emitWarning('beware of ' + from, 'DeprecationWarning', 'DEP9999');
        console.log('printed by ' + from + ' for siti@x.example');
        console.error('first line of ' + from + '\\nsecond line');
      }, 300);`;
    writeFileSync(preload, noise);
    const service = await start('noisy', { NODE_OPTIONS: `--require ${preload}` });
    await service.untilPrinted('first line of thread');
    await service.untilPrinted('first line of main');
    expect((await service.terminate()).code).toBe(0);
    const lines = parsed(service.printed);
    const all = lines.map(({ msg, err }) => `${msg} ${err?.message ?? ''}`).join('\n');
    for (const from of ['main', 'thread']) {
      expect(all).toContain(`beware of ${from}`);
      expect(all).toContain(`printed by ${from} for ***@x.example`);
      expect(all).toContain(`first line of ${from}\nsecond line`);
    }
    expect(lines.filter(({ stream }) => stream !== undefined).every(({ level }) => level === 40)).toBe(true);
  });

  describe('when the start fails', () => {
    let taken: ReturnType<typeof createServer>;
    beforeAll(async () => {
      taken = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => taken.once('listening', resolve));
    });
    afterAll(() => void taken.close());

    it('is one record at fatal, exit code 1: settings, .env, arguments, ports, data', async () => {
      const envFile = join(dir, 'with-env');
      mkdirSync(envFile);
      writeFileSync(join(envFile, '.env'), 'KURIR_LOG_FORMAT=json\nthis is nothing\n');
      const cases: [said: RegExp, env: Record<string, string>][] = [
        [/KURIR_ENGINE[^]*KURIR_HTTP_PORT/, { KURIR_HTTP_PORT: 'x', KURIR_ENGINE: 'cloud' }],
        [
          /^Port .* is already in use/,
          { ...testEnv(join(dir, 'p')), KURIR_HTTP_PORT: String((taken.address() as AddressInfo).port) },
        ],
        [/^The data directory .* cannot be written/, testEnv('/proc/none')],
        [/KURIR_LOG_LEVEL/, { ...testEnv(join(dir, 'l')), KURIR_LOG_LEVEL: 'loud' }],
        // A level that hides everything does not hide why it does not run.
        [/^The data directory .* cannot be written/, { ...testEnv('/proc/none'), KURIR_LOG_LEVEL: 'silent' }],
      ];
      for (const [said, env] of cases) {
        const { code, lines } = await failed(env);
        expect(lines).toEqual([expect.objectContaining({ level: 60, msg: expect.stringMatching(said) as unknown })]);
        expect(code).toBe(1);
      }
      const child = new Child(join(PROGRAM_DIR, 'kurird.js'), ['--nonsense'], {
        cwd: envFile,
        env: { PATH: process.env.PATH },
      });
      expect((await child.ended).code).toBe(1);
      expect(parsed(child.printed)).toHaveLength(1);
    });

    it('is plain text where KURIR_LOG_FORMAT asks for it', async () => {
      const env = { PATH: process.env.PATH, ...testEnv('/proc/none'), KURIR_LOG_FORMAT: 'text' };
      const child = new Child(join(PROGRAM_DIR, 'kurird.js'), [], { env });
      expect((await child.ended).code).toBe(1);
      expect(child.printed).toMatch(/^The data directory .* cannot be written/);
    });
  });

  it('is JSON line by line on the cluster engine while its servers are away', async () => {
    const env = {
      ...testEnv(join(dir, 'cluster')),
      KURIR_ENGINE: 'cluster',
      KURIR_SECRET: 'x'.repeat(40),
      KAFKA_BROKERS: '127.0.0.1:9',
      MONGODB_URL: 'mongodb://127.0.0.1:9/?replicaSet=rs0',
      REDIS_URL: 'redis://127.0.0.1:9',
      KURIR_LOG_LEVEL: 'info',
    };
    const service = Service.launch(join(dir, 'cluster'), env);
    started.push(service);
    await eventually(async () => expect(parsed(service.printed)).not.toEqual([]));
    // The other servers are said to be away a moment later.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await service.terminate();
    expect(parsed(service.printed).length).toBeGreaterThan(0);
  });
});
