import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { freePorts } from '../free-ports';
import { embeddedInstallation, type Installation } from '../installation';
import type { Role } from '../role';
import { SECRET } from '../seed';
import type { ServiceHandlers } from '../service';
import { sinkInProcess, startSink, type SinkHandle } from '../sink-role';
import type { SinkOptions } from '../sink/sink';
import { Member } from './member';
import type { RoleList } from './role-lists';

export interface StageOptions {
  /** The built program, dist/crash.js. */
  program: string;
  /** Default: one on the embedded engine, in the folder of the stage. It is deleted in the end. */
  installation?: Installation;
  /** Two processes run each list of roles. Default: one process with all roles, which nothing restarts. */
  roleLists?: readonly RoleList[];
  /** Variables besides those of the installation. */
  env?: Readonly<Record<string, string>>;
  /** Runs the sink in this process, for a test with many stages; else in its own process. */
  sinkInProcess?: boolean;
  /** How the sink behaves, where that is not the usual. */
  sink?: Partial<SinkOptions>;
  /** A sending server that runs already, instead of the sink. */
  server?: SinkHandle;
  /** True: with the management API. */
  hasDoors?: boolean;
}

interface Ports {
  http: number;
  bounce: number;
  smtps: number;
}

/** Times at which no process ran, ms. */
export interface Downtime {
  from: number;
  to: number;
}

const LOOK = 300;
/** Real time for everything to be handled, ms. */
const PATIENCE = 180_000;
/** Of a machine with much else to do, ms. */
const STOP_LIMIT = 60_000;
/** Delay before the restart of a process that ended by itself, ms. */
const RESTART = 500;
/** A killed process stays down for so long, ms. */
const DOWN = 500;

/**
 * A service on data of its own, before a sink: its processes can be killed, frozen, stopped and started again, and
 * their clock advances (docs/crash-proof.md#the-stage).
 */
export class Stage {
  readonly members: Member[] = [];
  kills = 0;
  readonly downtimes: Downtime[] = [];
  /** Processes that ended by themselves, and how. Where there are several, they are started again. */
  readonly unexpectedExits: string[] = [];
  /** Variables of the next starts. */
  env: Readonly<Record<string, string>>;
  private ahead = 0;
  private closing = false;
  /** Those that nothing starts again. */
  private readonly resting = new Set<Member>();

  private constructor(
    private readonly options: StageOptions,
    readonly folder: string,
    readonly installation: Installation,
    private readonly ports: readonly Ports[],
    readonly sink: SinkHandle,
  ) {
    const { roleLists = [], env = {} } = options;
    this.env = env;
    if (roleLists.length === 0) this.add('service', null, ports[0]!);
    const lists = [...roleLists, ...roleLists];
    lists.forEach((roles, i) => this.add(`${roles} ${i < roleLists.length ? 1 : 2}`, roles, ports[i]!));
  }

  static async open(options: StageOptions): Promise<Stage> {
    const { program, roleLists = [] } = options;
    const folder = mkdtempSync(join(tmpdir(), 'kurir-crash-'));
    mkdirSync(join(folder, 'data'), { recursive: true });
    const installation = options.installation ?? embeddedInstallation(join(folder, 'data'));
    const ports = await portsFor(Math.max(1, 2 * roleLists.length));
    const lists = [...roleLists, ...roleLists];
    const listening = ports.filter((_, i) => hasRole(lists[i] ?? null, 'mta-feedback'));
    const sinkOptions: SinkOptions = {
      journal: join(folder, 'journal.jsonl'),
      bouncePorts: listening.map(({ bounce }) => bounce),
      reportWait: 150,
      slowWait: 5_000,
      ...options.sink,
    };
    const startOne = options.sinkInProcess
      ? (): Promise<SinkHandle> => sinkInProcess(sinkOptions)
      : (): Promise<SinkHandle> => startSink(program, sinkOptions, join(folder, 'sink.log'));
    const sink = options.server ?? (await startOne());
    return new Stage(options, folder, installation, ports, sink);
  }

  get journal(): string {
    return join(this.folder, 'journal.jsonl');
  }

  /** Its data on the embedded engine. */
  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** Where its pages and its API are, one for each process that has them. */
  get origins(): string[] {
    const { roleLists = [] } = this.options;
    const lists = [...roleLists, ...roleLists];
    const serving = this.ports.filter((_, i) => hasRole(lists[i] ?? null, 'api'));
    return serving.map(({ http }) => `http://127.0.0.1:${http}`);
  }

  get baseUrls(): string[] {
    return this.origins.map((origin) => `${origin}/v1`);
  }
  get baseUrl(): string {
    return `${this.origins[0]}/v1`;
  }

  /** The port of the listener for delivery reports. */
  get bouncePort(): number {
    return this.ports[0]!.bounce;
  }
  /** The port of the relay with TLS from the start. */
  get smtpsPort(): number {
    return this.ports[0]!.smtps;
  }

  /** The first process, or the only one. Throws when none was started. */
  get service(): Role<ServiceHandlers> {
    return this.members[0]!.role;
  }

  get pids(): number[] {
    return this.members.map(({ pid }) => pid);
  }

  /** The members with this role. */
  withRole(role: string): Member[] {
    return this.members.filter(({ name }) => name.split(/[ ,]/).includes(role));
  }

  /** Starts all processes on the existing data; false when one died during startup. */
  async start(point: string | null = null): Promise<boolean> {
    this.closing = false;
    const ready = await Promise.all(this.members.map((member) => this.startMember(member, point)));
    return ready.every(Boolean);
  }

  /** The same; throws when one did not start. */
  async mustStart(): Promise<void> {
    if (!(await this.start())) throw new Error(`The service did not start; see ${this.folder}.`);
  }

  /** Starts the process. One of several is started again when it ends by itself. */
  async startMember(member: Member, point: string | null = null): Promise<boolean> {
    this.resting.delete(member);
    const ready = member.start(this.ahead, point);
    if (this.options.roleLists) void this.supervise(member);
    return ready;
  }

  /** Starts one more process, on a machine whose clock is `skew` ms off. Throws when it does not start. */
  async join(roles: RoleList, number: number, skew = 0): Promise<Member> {
    const [ports] = await portsFor(1);
    const member = this.add(`${roles} ${number}`, roles, ports!);
    await member.skew(skew);
    if (!(await this.startMember(member))) throw new Error(`${member.name} did not start; see ${this.folder}.`);
    return member;
  }

  /** Stops the process gracefully, for good. */
  async leave(member: Member): Promise<void> {
    this.unexpectedExits.push(...(await this.stopMember(member)));
    this.members.splice(this.members.indexOf(member), 1);
    await member.clear();
  }

  /** Sends SIGKILL; by turns where no process is named. It stays down until it is started. */
  async kill(member = this.members[this.kills % this.members.length]!): Promise<Member> {
    this.kills += 1;
    this.resting.add(member);
    await member.kill();
    return member;
  }

  /** Kills a process and starts it again a moment later. Throws when it does not start. */
  async killAndRestart(chosen?: Member): Promise<void> {
    const from = Date.now();
    const member = await this.kill(chosen);
    await sleep(DOWN);
    if (!(await this.startMember(member))) throw new Error(`${member.name} did not restart; see ${this.folder}.`);
    if (this.members.length === 1) this.downtimes.push({ from, to: Date.now() });
  }

  /** Stops the process with SIGTERM until it is started. Returns what was wrong with its end. */
  async stopMember(member: Member): Promise<string[]> {
    this.resting.add(member);
    const { code, signal } = await member.terminate(STOP_LIMIT);
    return code === 0 ? [] : [`${member.name} did not stop cleanly: ${signal ?? code}`];
  }

  /** The time of the service, ms. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /** Advances the clock of all processes, now and after later restarts. */
  async advance(ms: number): Promise<void> {
    this.ahead += ms;
    // When a process dies meanwhile, the next one starts at the new time.
    await Promise.all(this.members.map((member) => member.advance(ms).catch(() => undefined)));
  }

  /** Number of log records that are not handled yet; null when no process answers. */
  async lag(): Promise<number | null> {
    const member = this.members.find(({ serves }) => serves);
    return member ? member.lag().catch(() => null) : null;
  }

  /** True when nothing is pending: every log record is handled, every report of the sink was taken. */
  async isIdle(): Promise<boolean> {
    return (await this.lag()) === 0 && (await this.sink.pendingReports()) === 0;
  }

  /** Waits until it is idle three times in a row. */
  async untilIdle(isIdle = (): Promise<boolean> => this.isIdle()): Promise<void> {
    const end = performance.now() + PATIENCE;
    for (let times = 0; times < 3 && performance.now() < end; await sleep(LOOK))
      times = (await isIdle()) ? times + 1 : 0;
  }

  /** Stops all processes gracefully; returns a line for each that did not end cleanly. */
  async stop(): Promise<string[]> {
    this.closing = true;
    return (await Promise.all(this.members.map((member) => this.stopMember(member)))).flat();
  }

  /** Ends all processes and deletes the data, and the logs unless they are kept. */
  async close(keepsLogs = false): Promise<void> {
    this.closing = true;
    await Promise.all(this.members.map((member) => member.clear()));
    await this.sink.close();
    await this.installation.remove();
    if (!keepsLogs) rmSync(this.folder, { recursive: true, force: true });
  }

  private async supervise(member: Member): Promise<void> {
    const { code, signal } = await member.ended;
    const rests = (): boolean => this.closing || this.resting.has(member);
    if (rests()) return;
    this.unexpectedExits.push(`${member.name} ended with ${signal ?? code}`);
    await sleep(RESTART);
    if (!rests()) await this.startMember(member);
  }

  private add(name: string, roles: RoleList | null, { http, bounce, smtps }: Ports): Member {
    const { program, hasDoors } = this.options;
    const env = (): Record<string, string> => ({
      ...this.installation.env,
      KURIR_SECRET: SECRET,
      KURIR_HTTP_PORT: String(http),
      KURIR_BOUNCE_PORT: String(bounce),
      KURIR_SMTP_PORT: '0',
      KURIR_METRICS_PORT: '0',
      KURIR_SMTPS_PORT: String(smtps),
      KURIR_MTA_URL: `smtp://127.0.0.1:${this.sink.port}`,
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      KURIR_LOG_LEVEL: roles === null ? 'warn' : 'info',
      ...(roles !== null && { KURIR_ROLES: roles, KURIR_PUBLIC_URL: this.origins[0] ?? '' }),
      ...this.env,
    });
    const member = new Member({ name, program, env, folder: this.folder, hasDoors: hasDoors ?? false });
    this.members.push(member);
    return member;
  }
}

const hasRole = (roles: RoleList | null, role: string): boolean => roles === null || roles.split(',').includes(role);

async function portsFor(count: number): Promise<Ports[]> {
  const ports = await freePorts(3 * count);
  return Array.from({ length: count }, (_, i) => ({
    ...{ http: ports[3 * i]!, bounce: ports[3 * i + 1]!, smtps: ports[3 * i + 2]! },
  }));
}
