import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Role, type End } from '../role';
import type { ServiceHandlers, ServiceOptions } from '../service';

export interface MemberOptions {
  /** Unique within the installation, such as `throttle 1`. */
  name: string;
  /** The built program, dist/crash.js. */
  program: string;
  env: Readonly<Record<string, string>>;
  /** Folder of its log file. */
  folder: string;
}

/** One process of a cluster, across restarts. */
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

  /** Starts the process `ahead` ms ahead of real time; false when it ended before it served. */
  async start(ahead: number): Promise<boolean> {
    const { program, env } = this.options;
    const options: ServiceOptions = { ahead, skew: this.skewed, point: null };
    this.frozen = false;
    this.current = new Role<ServiceHandlers>({ program, role: 'service', options, log: this.log, env });
    return this.current.ready;
  }

  get pid(): number {
    return this.running().pid;
  }

  /** Resolves when the current process ends. */
  get ended(): Promise<End> {
    return this.running().ended;
  }

  kill(): Promise<End> {
    return this.running().kill();
  }

  /** Sends SIGTERM. A process that does not end within `patience` ms is killed; its end then names SIGKILL. */
  async terminate(patience: number): Promise<End> {
    const current = this.running();
    this.thaw();
    const timer = setTimeout(() => void current.kill(), patience);
    const end = await current.terminate();
    clearTimeout(timer);
    return end;
  }

  /** Sends SIGSTOP: the process stops wherever it is. */
  freeze(): void {
    this.frozen = true;
    process.kill(this.running().pid, 'SIGSTOP');
  }

  /** Sends SIGCONT. */
  thaw(): void {
    if (!this.frozen) return;
    process.kill(this.running().pid, 'SIGCONT');
    this.frozen = false;
  }

  async advance(ms: number): Promise<void> {
    await this.running().call('advance', ms);
  }

  /** Sets the clock of its machine `ms` off, now and after later restarts; 0: right. */
  async skew(ms: number): Promise<void> {
    this.skewed = ms;
    if (this.current?.alive) await this.current.call('skew', ms);
  }

  /** What it answers to a request on its HTTP port. */
  async ask(path: string, method = 'GET'): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`http://127.0.0.1:${this.options.env['KURIR_HTTP_PORT']}${path}`, { method });
    return { status: answer.status, body: await answer.json() };
  }

  /** Number of log records that are not handled yet. */
  lag(): Promise<number> {
    return this.running().call('lag', undefined);
  }

  /** Kills the process, if it runs. */
  async clear(): Promise<void> {
    await this.current?.kill();
    closeSync(this.log);
  }

  private running(): Role<ServiceHandlers> {
    if (!this.current) throw new Error(`${this.name} was not started.`);
    return this.current;
  }
}
