import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstRun } from '../../operations/installation/first-run';
import type { Installation } from '../../proof/crash/installation';
import { Child } from '../../proof/crash/stage/child';
import { testEnv } from './running';
import { PATIENCE } from './limits';

const ROOT = join(__dirname, '../..');
/** Where the programs run: a developer's `.env` is in the root and must not count here. */
export const PROGRAM_DIR = join(ROOT, 'dist');
/** The command line as it is installed. */
export const KURIR = join(ROOT, 'app/program/bin/kurir.js');

/** The program in its own process, which can be killed. */
export class Service extends Child {
  /** Starts it on a data dir or installation and waits until it runs. The ports stay the same across restarts. */
  static async start(...of: Parameters<typeof Service.launch>): Promise<Service> {
    const service = Service.launch(...of);
    await service.untilPrinted('kurir is running');
    return service;
  }

  /** The same without waiting, for a program that waits for its servers. */
  static launch(
    on: string | Installation,
    env: Record<string, string>,
    args: readonly string[] = [],
    cwd = PROGRAM_DIR,
    programs = PROGRAM_DIR,
  ): Service {
    const all = { PATH: process.env.PATH, ...testEnv(on), KURIR_LOG_LEVEL: 'info', ...env };
    return new Service(join(programs, 'kurird.js'), args, { cwd, env: all });
  }

  /** The base URL of its API, with its port. */
  get baseUrl(): string {
    const url = /"base_url":"([^"]+)"/.exec(this.printed)?.[1];
    if (url === undefined) throw new Error(`no base URL in ${this.printed}`);
    return url;
  }

  /** Its log lines from level warn on, and those about its servers. */
  get logged(): { level: number; msg: string }[] {
    const lines = this.printed.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  }
}

/**
 * Runs the program when it is expected not to start; returns its exit code, and what the records of its log say. One
 * that runs on in spite of what it should refuse is killed in the end.
 */
export async function runToEnd(
  env: Record<string, string>,
  cwd = PROGRAM_DIR,
): Promise<{ code: number | null; printed: string }> {
  const child = new Child(join(PROGRAM_DIR, 'kurird.js'), [], { cwd, env: { PATH: process.env.PATH, ...env } });
  const impatience = setTimeout(() => void child.kill(), PATIENCE);
  const { code } = await child.ended;
  clearTimeout(impatience);
  const records = child.printed.split('\n').filter((line) => line !== '');
  return { code, printed: records.map((line) => `${(JSON.parse(line) as { msg: string }).msg}\n`).join('') };
}

/** Starts `kurir` with these arguments, as an operator does. */
export function startKurir(
  on: string | Installation,
  args: readonly string[],
  env: Record<string, string> = {},
  program = KURIR,
  cwd = PROGRAM_DIR,
): Child {
  return new Child(program, args, { cwd, env: { PATH: process.env.PATH, ...testEnv(on), ...env } });
}

/** The same; rejects unless the exit code is 0. */
export async function kurir(...of: Parameters<typeof startKurir>): Promise<{ stdout: string; stderr: string }> {
  const child = startKurir(...of);
  const { code } = await child.ended;
  const { stdout, stderr } = child;
  if (code !== 0) throw Object.assign(new Error(`kurir ended with ${code}: ${stderr}`), { code, stdout, stderr });
  return { stdout, stderr };
}

/** The file written by the first start. */
export function readFirstRun(dataDir: string): FirstRun {
  const file = join(dataDir, 'first-run.json');
  if (!existsSync(file)) throw new Error('no first-run.json');
  return JSON.parse(readFileSync(file, 'utf8')) as FirstRun;
}

/** The demo workspace of a running service: as written by its first start, else as printed by `kurir demo`. */
export async function readDemo({ baseUrl }: Service, installation: Installation, program?: string): Promise<FirstRun> {
  if (installation.engine === 'embedded') return readFirstRun(installation.env['KURIR_DATA_DIR'] ?? '');
  const { stdout } = await kurir(installation, ['demo', '--json'], { KURIR_HTTP_PORT: new URL(baseUrl).port }, program);
  return JSON.parse(stdout) as FirstRun;
}
