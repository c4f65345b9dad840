import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FirstRun } from '../../app/installation/first-run';
import type { Installation } from '../../proof/crash/installation';
import { testEnv } from './running';

const ROOT = join(__dirname, '../..');
/** Where the programs run: a developer's `.env` is in the root and must not count here. */
export const PROGRAM_DIR = join(ROOT, 'dist');

/** The program in its own process, which can be killed. */
export class Service {
  private readonly output: string[] = [];

  private constructor(private readonly child: ChildProcess) {
    const hear = (chunk: Buffer): void => void this.output.push(chunk.toString());
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
  }

  /** Starts it on a data dir or installation and waits until it runs. The ports stay the same across restarts. */
  static async start(
    on: string | Installation,
    env: Record<string, string>,
    args: readonly string[] = [],
    cwd = PROGRAM_DIR,
    programs = PROGRAM_DIR,
  ): Promise<Service> {
    const service = Service.launch(on, env, args, cwd, programs);
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
    const child = spawn(process.execPath, [join(programs, 'kurird.js'), ...args], {
      cwd,
      env: { PATH: process.env.PATH, ...testEnv(on), KURIR_LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Service(child);
  }

  /** Waits until it prints the text; rejects when it ends before. */
  untilPrinted(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const hear = (): void => {
        if (!this.printed.includes(text)) return;
        settle();
        resolve();
      };
      const end = (code: number | null): void => {
        settle();
        reject(new Error(`ended with ${code}: ${this.printed}`));
      };
      const settle = (): void => {
        this.child.stdout?.off('data', hear);
        this.child.stderr?.off('data', hear);
        this.child.off('exit', end);
      };
      this.child.stdout?.on('data', hear);
      this.child.stderr?.on('data', hear);
      this.child.once('exit', end);
      hear();
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The base URL of its API, with its port. */
  get baseUrl(): string {
    const url = /"base_url":"([^"]+)"/.exec(this.printed)?.[1];
    if (url === undefined) throw new Error(`no base URL in ${this.printed}`);
    return url;
  }

  /** Everything it printed. */
  get printed(): string {
    return this.output.join('');
  }

  /** Its log lines from level warn on, and those about its servers. */
  get logged(): { level: number; msg: string }[] {
    const lines = this.printed.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  }

  /** Resolves with the exit code once it ends by itself; null for a signal. */
  async exited(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const [code] = (await once(this.child, 'exit')) as [number | null];
    return code;
  }

  /** Sends SIGKILL; does nothing when it has ended. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  /** Sends SIGTERM; returns the exit code. */
  async terminate(): Promise<number | null> {
    const gone = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill('SIGTERM');
    return (await gone)[0];
  }
}

/** Runs the program when it is expected not to start; returns its exit code and output. */
export async function runToEnd(
  env: Record<string, string>,
  cwd = PROGRAM_DIR,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/kurird.js')], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, printed };
}

/** `kurir` with these arguments, as an operator runs it; rejects unless the exit code is 0. */
export function kurir(
  on: string | Installation,
  args: readonly string[],
  env: Record<string, string> = {},
  program = join(ROOT, 'packaging/bin/kurir.js'),
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [program, ...args], {
    cwd: PROGRAM_DIR,
    env: { PATH: process.env.PATH, ...testEnv(on), ...env },
  });
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
