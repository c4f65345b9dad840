import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { COMMANDS, commandOf } from '../../cli/commands';
import { buildProgram } from '../../cli/run';
import type { Host } from '../../cli/support/host';
import { temporaryDir } from '../support/running';
import { kurir, Service } from '../support/service';

const sink = { write: () => undefined };
const host: Host = {
  stdout: sink,
  stderr: sink,
  stdin: Readable.from([]),
  tools: () => Promise.reject(new Error('no command runs here')),
  config: () => {
    throw new Error('no command runs here');
  },
};

describe('the commands, most of which are not loaded', () => {
  it('have the name, summary and alias that they have when they are loaded', async () => {
    const shown = async (load: typeof COMMANDS): Promise<string[][]> =>
      (await buildProgram(host, () => undefined, { load })).commands.map((command) => [
        command.name(),
        command.description(),
        ...command.aliases(),
      ]);
    expect(await shown([])).toEqual(await shown(COMMANDS));
  });

  it.each([
    [['workspace', 'list'], 'workspace'],
    [['help', 'domain'], 'domain'],
    [['parked', 'list'], 'dead-letters'],
    [['--json', 'doctor'], 'doctor'],
    [['--help'], null],
    [['dance'], null],
    [[], null],
  ])('of %j is %s', (argv, name) => {
    expect(commandOf(argv)?.name ?? null).toBe(name);
  });
});

describe('npx kurir', () => {
  const root = join(__dirname, '../..');

  it('finds the command in node_modules: for a bin of the clone itself npx would install the clone elsewhere first', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin?: object };
    expect(bin).toBeUndefined();
    expect(realpathSync(join(root, 'node_modules/.bin/kurir'))).toBe(join(root, 'app/program/bin/kurir.js'));
    expect(statSync(join(root, 'app/program/bin/kurir.js')).mode & 0o111).not.toBe(0);
  });
});

/** Counts are exact on every machine; times are not. */
describe('what a start loads', () => {
  const dir = temporaryDir();
  const preload = join(dir, 'loaded.cjs');
  beforeAll(async () => {
    writeFileSync(
      preload,
      `process.on('exit', () => require('node:fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n')));`,
    );
    const service = await Service.start(join(dir, 'data'), {});
    await service.terminate();
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** The packages and the number of their files that `kurir` loads for these arguments. */
  async function loadedBy(...args: string[]): Promise<{ packages: string[]; files: number }> {
    const report = join(dir, 'report');
    await kurir(join(dir, 'data'), args, { NODE_OPTIONS: `--require ${preload}`, LOADED: report });
    const files = readFileSync(report, 'utf8')
      .split('\n')
      .filter((file) => file.includes('/node_modules/'));
    const packages = new Set(files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file));
    return { packages: [...packages].sort(), files: files.length };
  }

  it.each([['--help'], ['--version']])('kurir %s: only the package that reads command lines', async (argument) => {
    const { packages, files } = await loadedBy(argument);
    expect(packages).toEqual(['commander']);
    expect(files).toBeLessThan(10);
  });

  it('kurir workspace list: what reads the store, and neither servers nor mails', async () => {
    const { packages, files } = await loadedBy('workspace', 'list');
    expect(packages).toContain('@photostructure/sqlite');
    for (const name of ['koa', 'mongodb', 'kafkajs', 'node-rdkafka', 'ioredis', 'nodemailer', 'postal-mime', 'esbuild'])
      expect(packages).not.toContain(name);
    expect(files).toBeLessThan(110);
  });
});
