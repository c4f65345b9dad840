import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Role, type End } from '../role';
import type { ServiceHandlers, ServiceOptions } from '../service';

export interface MemberOptions {
  /** Unique among its installation, as `throttle 1`. */
  name: string;
  /** The built program, dist/crash.js. */
  program: string;
  env: Readonly<Record<string, string>>;
  /** Where its log goes. */
  folder: string;
}

/** One process of a cluster, over all its lives. */
export class Member {
  readonly name: string;
  private current: Role<ServiceHandlers> | null = null;
  private frozen = false;
  private readonly log: number;

  constructor(private readonly options: MemberOptions) {
    this.name = options.name;
    this.log = openSync(join(options.folder, `${options.name.replace(' ', '-')}.log`), 'a');
  }

  /** True while it can be asked something. */
  get serves(): boolean {
    return this.current !== null && this.current.alive && !this.frozen;
  }

  /** Starts a life `ahead` ms ahead of real time; false when it ended before it served. */
  async start(ahead: number): Promise<boolean> {
    const { program, env } = this.options;
    const options: ServiceOptions = { ahead, point: null };
    this.frozen = false;
    this.current = new Role<ServiceHandlers>({ program, role: 'service', options, log: this.log, env });
    return this.current.ready;
  }

  /** How the present life ends. */
  get ended(): Promise<End> {
    return this.running().ended;
  }

  kill(): Promise<End> {
    return this.running().kill();
  }

  /** SIGTERM; a process that does not end in time is killed, and answers with that signal. */
  async terminate(patience: number): Promise<End> {
    const life = this.running();
    this.thaw();
    const timer = setTimeout(() => void life.kill(), patience);
    const end = await life.terminate();
    clearTimeout(timer);
    return end;
  }

  /** SIGSTOP: it stands still wherever it is. */
  freeze(): void {
    this.frozen = true;
    process.kill(this.running().pid, 'SIGSTOP');
  }

  /** SIGCONT. */
  thaw(): void {
    if (!this.frozen) return;
    process.kill(this.running().pid, 'SIGCONT');
    this.frozen = false;
  }

  async advance(ms: number): Promise<void> {
    await this.running().call('advance', ms);
  }

  /** Records of the log that are not handled. */
  lag(): Promise<number> {
    return this.running().call('lag', undefined);
  }

  /** Ends it, if it runs. */
  async clear(): Promise<void> {
    await this.current?.kill();
    closeSync(this.log);
  }

  private running(): Role<ServiceHandlers> {
    if (!this.current) throw new Error(`${this.name} was not started.`);
    return this.current;
  }
}
