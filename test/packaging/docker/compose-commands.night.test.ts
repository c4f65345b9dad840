import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FirstRun } from '../../../operations/installation/first-run';
import { freePorts } from '../../../proof/crash/free-ports';
import { Caller, temporaryDir } from '../../support/running';
import { PROGRAM_DIR } from '../../support/service';
import { compose, environmentOf, read, ROOT, services } from './compose-file';
import { giveUpAt } from '../../support/limits';

const run = promisify(execFile);
const dir = temporaryDir();
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts a program and collects what it prints. */
function launch(command: string, args: readonly string[], env: Record<string, string> = {}): { printed: () => string } {
  const child = spawn(command, args, { cwd: PROGRAM_DIR, env: { PATH: process.env.PATH, ...env } });
  children.push(child);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.on('error', (error) => (printed += error.message));
  return { printed: () => printed };
}

async function until(holds: () => boolean | Promise<boolean>, about: () => string): Promise<void> {
  for (const end = giveUpAt(); performance.now() < end;) {
    if (await holds()) return;
    await setTimeout(100);
  }
  throw new Error(`waited in vain: ${about()}`);
}

const exitCode = (command: string, args: readonly string[]): Promise<number> =>
  run(command, [...args]).then(
    () => 0,
    (error: { code: number }) => error.code,
  );

/** The health check that the image of Kurir has, at another port. */
function kurirHealth(port: number): Promise<number> {
  const [, text = ''] = /^HEALTHCHECK [^\\]*\\\n\s+CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
  const [command = '', ...args] = JSON.parse(text) as string[];
  return exitCode(
    command,
    args.map((arg) => arg.replace(':8080/', `:${port}/`)),
  );
}

/** A command of the image, as it runs here: its paths begin at the root of the clone. */
const here = (command: readonly string[]): string[] =>
  // A file; a role may have the name of a folder.
  command.slice(1).map((word) => (word.includes('/') && existsSync(join(ROOT, word)) ? join(ROOT, word) : word));

describe('the service setup', () => {
  const { command = [] } = compose.services.setup!;
  const file = join(dir, 'master');
  const setup = (env: Record<string, string> = {}) =>
    run(process.execPath, [...here(command.slice(0, -1)), file], { env: { PATH: process.env.PATH, ...env } });

  it('makes a secret once, which only its user can read', async () => {
    expect((await setup()).stdout).toContain(`The master secret is in ${file}`);
    const made = readFileSync(file, 'utf8');
    expect(made.trim().length).toBeGreaterThanOrEqual(64);
    expect(statSync(file).mode & 0o777).toBe(0o400);
    expect((await setup()).stdout).toBe('');
    expect((await setup({ KURIR_SECRET: made.trim() })).stdout).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(made);
  });

  it('refuses another secret than that of the data, and one that is too short', async () => {
    await expect(setup({ KURIR_SECRET: 'x'.repeat(32) })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\{.*"msg":"KURIR_SECRET does not match the master secret in .*\}\n$/) as unknown,
    });
    await expect(setup({ KURIR_SECRET: 'short' })).rejects.toMatchObject({ code: 1 });
  });

  it('takes the secret that is set', async () => {
    rmSync(file, { force: true });
    await setup({ KURIR_SECRET: ` ${'y'.repeat(40)} ` });
    expect(readFileSync(file, 'utf8')).toBe(`${'y'.repeat(40)}\n`);
  });
});

describe('the service demo', () => {
  it('is healthy, keeps its key out of its log, and prints a line to paste on request; the inbox shows the mail', async () => {
    const { command = [], ...service } = compose.services.demo!;
    const [port = 0] = await freePorts(1);
    const free = {
      KURIR_SMTP_PORT: '0',
      KURIR_SMTPS_PORT: '0',
      KURIR_BOUNCE_PORT: '0',
      KURIR_SANDBOX_PORT: '0',
      KURIR_METRICS_PORT: '0',
    };
    const env = environmentOf(service, { DEMO_PORT: String(port) });
    const data = join(dir, 'demo');
    const own = { KURIR_DATA_DIR: data, KURIR_HTTP_PORT: String(port), KURIR_HTTP_HOST: '127.0.0.1', ...free };
    const { printed } = launch(process.execPath, here(command), { ...env, ...own });
    await until(() => printed().includes('kurir is running'), printed);
    const asked = await run(process.execPath, [join(ROOT, 'dist/kurir.js'), 'demo'], { env: { ...env, ...own } });
    expect(asked.stdout).toContain(`curl -sS http://127.0.0.1:${port}/v1/messages -H`);
    expect(asked.stdout).toContain(`See it arrive: http://127.0.0.1:${port}/sandbox/inbox`);
    expect(await kurirHealth(port)).toBe(0);
    const demo = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as FirstRun;
    expect(printed()).not.toContain(demo.api_key);
    await new Caller(demo.base_url, demo.api_key).send('delivered@example.test', demo.sending_domain_id);
    const inbox = async (): Promise<string> =>
      (await fetch(`http://localhost:${port}/sandbox/inbox`, { headers: { accept: 'application/json' } })).text();
    await until(async () => (await inbox()).includes('delivered@example.test'), printed);
  });

  it('is not healthy when it does not run', async () => {
    expect(await kurirHealth((await freePorts(1))[0]!)).toBe(1);
  });
});

describe('the services of the cluster', () => {
  const roles = services.filter(([, { command = [] }]) => command.includes('--roles'));

  it.each(roles)('%s: starts with its command, waits for its servers, and is healthy meanwhile', async (_, service) => {
    const [port = 0, nothing = 0] = await freePorts(2);
    const secret = join(dir, 'role-secret');
    writeFileSync(secret, `${'s'.repeat(40)}\n`);
    const servers = {
      KURIR_SECRET_FILE: secret,
      KAFKA_BROKERS: `127.0.0.1:${nothing}`,
      MONGODB_URL: `mongodb://127.0.0.1:${nothing}/?replicaSet=rs0`,
      REDIS_URL: `redis://127.0.0.1:${nothing}`,
    };
    const env = { ...environmentOf(service, {}), ...servers, KURIR_HTTP_HOST: '127.0.0.1' };
    const { printed } = launch(process.execPath, here(service.command!), { ...env, KURIR_HTTP_PORT: String(port) });
    await until(() => printed().includes('MongoDB at 127.0.0.1'), printed);
    expect(await kurirHealth(port)).toBe(0);
  });
});

/** A server's program: in the PATH, or the one that runs for the tests of the cluster engine. */
function find(program: string, running: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
  const folder = folders.find((candidate) => existsSync(join(candidate, program)));
  if (folder !== undefined) return join(folder, program);
  const pid = join(process.env['KURIR_SERVICES'] ?? dir, `${running}.pid`);
  return existsSync(pid) ? readlinkSync(`/proc/${readFileSync(pid, 'utf8').trim()}/exe`) : null;
}
const mongod = find('mongod', 'mongo1');
const redis = find('redis-server', 'redis');

describe('the servers', () => {
  (mongod === null ? it.skip : it)(
    'mongodb: its health check creates the replica set once, and then needs no mongosh',
    async () => {
      const [port = 0] = await freePorts(1);
      const data = join(dir, 'mongo');
      mkdirSync(data);
      // In the container mongosh; here what it is given is kept.
      const bin = join(dir, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'mongosh'), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${join(dir, 'mongosh.args')}\n`);
      chmodSync(join(bin, 'mongosh'), 0o755);
      const [, ...args] = compose.services.mongodb!.command!;
      const local = args.map((word) =>
        word === '--bind_ip_all' ? '--bind_ip=127.0.0.1' : word.replace(/^\$\{.*:-(.*)\}$/, '$1'),
      );
      const { printed } = launch(mongod!, [...local, '--port', String(port), '--dbpath', data]);
      const [, , script = ''] = compose.services.mongodb!.healthcheck!.test!;
      const mounted = compose.services
        .mongodb!.volumes!.find((volume) => volume.includes(`:${script}:`))!
        .split(':')[0]!;
      const health = (): Promise<number> =>
        run('bash', [join(ROOT, mounted), String(port), `127.0.0.1:${port}`], {
          env: { PATH: `${bin}:${process.env.PATH}` },
        }).then(
          () => 0,
          (error: { code: number }) => error.code,
        );
      expect(await health()).toBe(1);
      await until(async () => (await health()) === 1 && existsSync(join(dir, 'mongosh.args')), printed);
      const given = readFileSync(join(dir, 'mongosh.args'), 'utf8');
      const [, config = ''] = /rs\.initiate\((.*)\)/.exec(given) ?? [];
      expect(config).toBe(`{ _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:${port}' }] }`);
      await initiate(port);
      rmSync(join(dir, 'mongosh.args'));
      await until(async () => (await health()) === 0, printed);
      expect(existsSync(join(dir, 'mongosh.args'))).toBe(false);
    },
  );

  (redis === null ? it.skip : it)('redis: starts with its command and answers its health check', async () => {
    const [port = 0] = await freePorts(1);
    const [, ...args] = compose.services.redis!.command!;
    const { printed } = launch(redis!, [...args, '--port', String(port), '--dir', dir]);
    const [, command = '', ...words] = compose.services.redis!.healthcheck!.test!;
    const healthy = async (): Promise<boolean> => (await exitCode(command, ['-p', String(port), ...words])) === 0;
    await until(healthy, printed);
  });

  it('postfix: its health check takes a server that greets, and no other', async () => {
    const [, text = ''] =
      /^HEALTHCHECK [^\\]*\\\n\s+CMD (.*)$/m.exec(read('packaging/docker/postfix/Dockerfile')) ?? [];
    const [command = '', ...args] = JSON.parse(text) as string[];
    for (const [greeting, expected] of [
      ['220 mta.kurir.test ESMTP\r\n', 0],
      ['421 not now\r\n', 1],
    ] as const) {
      const server = createServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end(greeting),
      ).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const code = await exitCode(
        command,
        args.map((arg) => arg.replace('127.0.0.1/25', `127.0.0.1/${port}`)),
      );
      expect([greeting, code]).toEqual([greeting, expected]);
      server.close();
      await once(server, 'close');
    }
  });

  it('every shell script of theirs can be parsed', () => {
    const scripts = readdirSync(join(ROOT, 'packaging/docker'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.sh'),
    );
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) execFileSync('bash', ['-n', join(ROOT, 'packaging/docker', script)]);
  });
});

/** What mongosh does in the container. */
async function initiate(port: number): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  try {
    const config = { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
    await client.db('admin').command({ replSetInitiate: config });
  } finally {
    await client.close();
  }
}
