import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import type { ServiceHandlers, ServiceOptions } from '../service';
import { Role } from './role';
import type { RoleList } from './role-lists';

/** Where it listens, now and after each restart. */
export interface Ports {
  http: number;
  bounce: number;
  smtps: number;
}

export interface MemberOptions {
  /** Unique within the installation, such as `throttle 1`. */
  name: string;
  /** Null: all of them. */
  roles: RoleList | null;
  ports: Ports;
  /** The built program, dist/crash.js. */
  program: string;
  /** The variables of its next start. */
  env: () => Readonly<Record<string, string>>;
  /** Folder of its log file. */
  folder: string;
}

/** Real time within which a process says what it does, ms. */
const ANSWER = 5_000;

/** One process of an installation, across restarts, and what can happen to it. */
export class Member {
  readonly name: string;
  readonly ports: Ports;
  private current: Role<ServiceHandlers> | null = null;
  private skewed = 0;
  private readonly log: number;

  constructor(private readonly options: MemberOptions) {
    [this.name, this.ports] = [options.name, options.ports];
    this.log = openSync(this.fileOf('log'), 'a');
  }

  hasRole(role: string): boolean {
    return this.options.roles?.split(',').includes(role) ?? true;
  }

  /** True while it answers calls. */
  get serves(): boolean {
    return this.current !== null && this.current.isAlive && !this.current.isFrozen;
  }

  /** The current process. Throws when none was started. */
  get process(): Role<ServiceHandlers> {
    if (!this.current) throw new Error(`${this.name} was not started.`);
    return this.current;
  }

  /** Starts the process `ahead` ms ahead of real time; false when it ended before it served. */
  start(ahead: number, point: string | null = null): Promise<boolean> {
    const { program, env } = this.options;
    const options: ServiceOptions = { ahead, skew: this.skewed, point };
    const clock = this.fileOf('clock');
    const isShifted = existsSync(clock);
    this.current = new Role<ServiceHandlers>({
      program,
      role: 'service',
      options,
      output: this.log,
      execArgv: isShifted ? ['--require', join(dirname(program), 'shifted-clock.js')] : [],
      env: { ...env(), ...(isShifted && { KURIR_PROOF_CLOCK: clock }) },
    });
    return this.current.ready;
  }

  /** Sets the time that the program takes from its machine `ms` off, now and after later restarts; 0: right. */
  async skew(ms: number): Promise<void> {
    this.skewed = ms;
    if (this.current?.isAlive) await this.current.call('skew', ms);
  }

  /** From its next start on, all that it runs, libraries and threads too, has a `Date` this far off; ms. */
  shiftClock(ms: number): void {
    writeFileSync(this.fileOf('clock'), String(ms).padStart(20));
  }

  /** What it answers to a request on its HTTP port. */
  async ask(path: string, method = 'GET'): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.http}${path}`, { method });
    return { status: answer.status, body: await answer.json() };
  }

  /** How long until something falls due for its clock, ms; null while it works or does not answer. */
  async rest(): Promise<number | null> {
    return this.serves ? this.process.call('rest', undefined).catch(() => null) : null;
  }

  get pid(): number | null {
    return this.current?.pid ?? null;
  }

  /** What it does now, in words. */
  async state(): Promise<string> {
    const { current } = this;
    if (!current) return 'was not started';
    if (!current.isAlive) {
      const { code, signal } = await current.ended;
      return `has ended with ${signal ?? code}`;
    }
    if (current.isFrozen) return 'is frozen';
    const asked = Promise.all([current.call('works', undefined), current.call('rest', undefined)]);
    const answer = await Promise.race([asked.catch(() => null), sleep(ANSWER).then(() => null)]);
    if (answer === null) return 'does not answer';
    const [works, due] = answer;
    return works.length > 0 ? `works at ${works.join(', ')}` : `rests for ${Math.round((due ?? 0) / 1_000)} s more`;
  }

  /** The last lines that it printed, over all restarts. */
  lastLines(count: number): string[] {
    return readFileSync(this.fileOf('log'), 'utf8').trimEnd().split('\n').slice(-count);
  }

  /** Kills the process, if it runs. */
  async clear(): Promise<void> {
    await this.current?.kill();
    closeSync(this.log);
  }

  private fileOf(kind: 'log' | 'clock'): string {
    return join(this.options.folder, `${this.name.replace(' ', '-')}.${kind}`);
  }
}
