import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Role, type End } from '../role';
import type { ServiceHandlers, ServiceOptions } from '../service';

export interface MemberOptions {
  /** Unique within the installation, such as `throttle 1`. */
  name: string;
  /** The built program, dist/crash.js. */
  program: string;
  /** The variables of its next start. */
  env: () => Readonly<Record<string, string>>;
  /** Folder of its log file. */
  folder: string;
  /** True: with the management API. */
  hasDoors: boolean;
}

const PRLIMIT = '/usr/bin/prlimit';
/** False where the system cannot refuse the writes of a process that runs. */
export const canFillDisk = (): boolean => existsSync(PRLIMIT);

/** One process of an installation, across restarts, and what can happen to it. */
export class Member {
  readonly name: string;
  private current: Role<ServiceHandlers> | null = null;
  private frozen = false;
  private skewed = 0;
  private readonly log: number;

  constructor(private readonly options: MemberOptions) {
    this.name = options.name;
    this.log = openSync(join(options.folder, `${options.name.replace(' ', '-')}.log`), 'a');
  }

  /** True while it answers calls. */
  get serves(): boolean {
    return this.current !== null && this.current.alive && !this.frozen;
  }

  /** The current process. Throws when none was started. */
  get role(): Role<ServiceHandlers> {
    if (!this.current) throw new Error(`${this.name} was not started.`);
    return this.current;
  }

  /** Starts the process `ahead` ms ahead of real time; false when it ended before it served. */
  start(ahead: number, point: string | null = null): Promise<boolean> {
    const { program, env, hasDoors } = this.options;
    const options: ServiceOptions = { ahead, skew: this.skewed, point, hasDoors };
    this.frozen = false;
    const execArgv = existsSync(this.clockFile) ? ['--require', join(dirname(program), 'shifted-clock.js')] : [];
    const clock: Record<string, string> = execArgv.length > 0 ? { KURIR_PROOF_CLOCK: this.clockFile } : {};
    this.current = new Role<ServiceHandlers>({
      ...{ program, role: 'service', options, log: this.log, execArgv },
      env: { ...env(), ...clock },
    });
    return this.current.ready;
  }

  get pid(): number {
    return this.role.pid;
  }

  /** Resolves when the current process ends. */
  get ended(): Promise<End> {
    return this.role.ended;
  }

  kill(): Promise<End> {
    return this.role.kill();
  }

  /** Sends SIGTERM. A process that does not end within `patience` ms is killed; its end then names SIGKILL. */
  async terminate(patience: number): Promise<End> {
    const { role } = this;
    this.thaw();
    const timer = setTimeout(() => void role.kill(), patience);
    const end = await role.terminate();
    clearTimeout(timer);
    return end;
  }

  /** Sends SIGSTOP: the process stops wherever it is. */
  freeze(): void {
    this.frozen = true;
    process.kill(this.pid, 'SIGSTOP');
  }

  /** Sends SIGCONT. */
  thaw(): void {
    if (!this.frozen) return;
    this.frozen = false;
    if (this.role.alive) process.kill(this.pid, 'SIGCONT');
  }

  async advance(ms: number): Promise<void> {
    await this.role.call('advance', ms);
  }

  /** Sets the time that the program takes from its machine `ms` off, now and after later restarts; 0: right. */
  async skew(ms: number): Promise<void> {
    this.skewed = ms;
    if (this.current?.alive) await this.current.call('skew', ms);
  }

  /** From its next start on, all that it runs, libraries and threads too, has a `Date` this far off; ms. */
  shiftClock(ms: number): void {
    writeFileSync(this.clockFile, String(ms).padStart(20));
  }

  /** The system refuses writes beyond this size of any file, as on a disk without room; null lifts that. */
  limitFiles(bytes: number | null): void {
    execFileSync(PRLIMIT, ['--pid', String(this.pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`], {
      stdio: 'ignore',
    });
  }

  /** What it answers to a request on its HTTP port. */
  async ask(path: string, method = 'GET'): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`http://127.0.0.1:${this.options.env()['KURIR_HTTP_PORT']}${path}`, { method });
    return { status: answer.status, body: await answer.json() };
  }

  /** Number of log records that are not handled yet. */
  lag(): Promise<number> {
    return this.role.call('lag', undefined);
  }

  /** How long until something falls due for its clock, ms; null while it works or does not answer. */
  async rest(): Promise<number | null> {
    if (!this.serves) return null;
    const due = await this.role.call('rest', undefined).catch(() => null);
    return due !== null && due < 0 ? Infinity : due;
  }

  /** Kills the process, if it runs. */
  async clear(): Promise<void> {
    await this.current?.kill();
    closeSync(this.log);
  }

  private get clockFile(): string {
    return join(this.options.folder, `${this.name.replace(' ', '-')}.clock`);
  }
}
