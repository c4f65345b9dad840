import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { endAfterAnswer } from '../../../cli/support/ending';
import { temporaryDir, testEnv } from '../../support/running';
import { PROGRAM_DIR } from '../../support/service';
import { PATIENCE } from '../../support/limits';
import { until } from '../../contract/helpers';

const ROOT = join(__dirname, '../../..');

describe('a command that something keeps', () => {
  let dir: string;
  let preload: string;
  let server: Server;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    dir = temporaryDir();
    // A server that takes connections and never says anything, as a hanging broker or MongoDB does.
    server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    preload = join(dir, 'hold.js');
    writeFileSync(preload, `require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1');\n`);
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(dir, { recursive: true });
  });

  /**
   * Runs it with an open connection; resolves with its output, its exit code and how long it lived after its output.
   */
  async function held(args: string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['--require', preload, join(ROOT, 'app/program/bin/kurir.js'), ...args], {
      cwd: PROGRAM_DIR,
      env: { PATH: process.env.PATH, ...testEnv(dir), ...env },
    });
    let printed = '';
    let saidAt = 0;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        saidAt = performance.now();
      });
    }
    const killer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(killer);
    return { code, printed, stayed: performance.now() - saidAt };
  }

  const hanging = (): Record<string, string> => {
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secret = { KURIR_SECRET: 'a'.repeat(44), KURIR_ENGINE: 'cluster', REDIS_URL: 'redis://127.0.0.1:1' };
    return { ...secret, KAFKA_BROKERS: at, MONGODB_URL: `mongodb://${at}/?directConnection=true` };
  };

  it('ends soon after its output, with its exit code, also when neither Kafka nor MongoDB says a word', async () => {
    const cases = [
      { args: ['--version'], code: 0, says: /^\d/ },
      { args: ['indexes', 'list', '--json'], code: 0, says: /"ok": true/ },
      { args: ['workspace', 'list'], code: 1, says: /There is no data/ },
      { args: ['switch', 'mail', 'on'], code: 2, says: /must be one of/ },
      { args: ['topics', 'list'], code: 1, says: /Kafka .* cannot be reached/, env: hanging() },
      { args: ['doctor', '--json'], code: 1, says: /MongoDB .* cannot be reached/, env: hanging() },
    ];
    const found = await Promise.all(cases.map(({ args, env }) => held(args, env)));
    for (const [i, { code, says }] of cases.entries()) {
      expect(found[i]).toMatchObject({ code, printed: expect.stringMatching(says) as unknown });
      // Five seconds, and time for a busy machine.
      expect(found[i]?.stayed).toBeLessThan(30_000);
    }
  });
});

describe('endAfterAnswer', () => {
  it('waits for a slow reader, and keeps the last exit code', async () => {
    let read: (() => void) | null = null;
    const stdout = new Writable({ write: (_chunk, _encoding, done) => (read = done), decodeStrings: false });
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
    let ended = 0;
    const process = { stdout, stderr, exitCode: undefined as number | undefined, exit: () => void (ended += 1) };
    const end = endAfterAnswer(process, 10);
    stdout.write('an answer');
    end(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).toBe(0);
    read!();
    read!();
    end(130);
    await until(() => ended !== 0, 5);
    expect({ ended, code: process.exitCode }).toEqual({ ended: 1, code: 130 });
  });
});
