import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Test files that all pass; they run in this order, in one process. */
const FILES = {
  'a-fails-late': `test('passes', () => {
    const { existsSync, writeFileSync } = require('node:fs');
    const timer = setInterval(async () => {
      if (!existsSync('b-runs')) return;
      clearInterval(timer);
      writeFileSync('a-failed', '');
      throw new Error('too late');
    }, 10);
  });`,
  'b-runs-meanwhile': `test('passes', async () => {
    const { existsSync, writeFileSync } = require('node:fs');
    writeFileSync('b-runs', '');
    while (!existsSync('a-failed')) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 10));
  });`,
  'c-leaves-handles': `test('passes', async () => {
    (function again() { setTimeout(again, 10).unref(); })();
    void require('node:timers/promises').setTimeout(600_000);
    await new Promise((resolve) => require('node:net').createServer().listen(0, resolve));
    new (require('node:worker_threads').Worker)('setInterval(() => 0, 1000)', { eval: true });
    require('node:child_process').spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  });`,
  'd-closes-all': `test('passes', async () => {
    const server = require('node:http').createServer((_, response) => response.end('.'));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await (await fetch('http://127.0.0.1:' + server.address().port)).text();
    setTimeout(() => server.close(), 50);
  });`,
};
const IN_ORDER = `module.exports = class {
  sort(tests) { return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1)); }
  cacheResults() {}
};`;

interface Report {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[];
}

/** Runs the files in a separate Jest. */
async function play(folder: string): Promise<Report> {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, `${name}.test.js`), text);
  writeFileSync(join(folder, 'in-order.js'), IN_ORDER);
  const config = {
    rootDir: folder,
    testEnvironment: join(__dirname, 'environment.ts'),
    testEnvironmentOptions: { grace: 1_000 },
    testSequencer: join(folder, 'in-order.js'),
    transform: { '\\.ts$': require.resolve('@swc/jest') },
  };
  const jest = join(require.resolve('jest/package.json'), '../bin/jest.js');
  const report = join(folder, 'report.json');
  const options = ['--runInBand', '--forceExit', '--watchman=false', '--json', '--outputFile', report];
  const child = spawn(process.execPath, [jest, ...options, '--config', JSON.stringify(config)], {
    cwd: folder,
    stdio: 'ignore',
  });
  await once(child, 'exit');
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

describe('a file of tests that leaves something behind fails', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kurir-leaks-')));
  let files = new Map<string, { status: string; message: string; passed: boolean }>();
  const outcome = (name: keyof typeof FILES) => files.get(join(folder, `${name}.test.js`));

  beforeAll(async () => {
    const { testResults } = await play(folder);
    files = new Map(
      testResults.map(({ name, status, message, assertionResults }) => {
        return [name, { status, message, passed: assertionResults.every((test) => test.status === 'passed') }];
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('with each thing and where it was made, though its tests pass', () => {
    const { status, message, passed } = outcome('c-leaves-handles')!;
    expect({ status, passed }).toEqual({ status: 'failed', passed: true });
    expect(message).toContain('c-leaves-handles.test.js leaves behind:');
    const made = message.matchAll(/^ *(a .*), made at .*?c-leaves-handles\.test\.js:(\d+):/gm);
    // Jest reports an error of a whole file twice.
    const resources = [...new Set([...made].map(([, thing, line]) => `${thing} ${line}`))];
    expect(resources.sort()).toEqual([
      'a child process 6',
      'a pipe 6',
      'a server 4',
      'a timer 2',
      'a timer 3',
      'a worker thread 5',
    ]);
  });

  it('and is named where its error arrives in another', () => {
    expect(outcome('a-fails-late')).toMatchObject({ status: 'failed', passed: true });
    const { status, message } = outcome('b-runs-meanwhile')!;
    expect(status).toBe('failed');
    expect(message).toContain(
      'a-fails-late.test.js left work behind, which failed while b-runs-meanwhile.test.js ran: Error: too late',
    );
  });

  it('but not for what is closed a moment later, nor for what another file makes again and again', () => {
    expect(outcome('d-closes-all')).toMatchObject({ status: 'passed', passed: true });
  });
});
