import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { freePorts } from '../free-ports';
import { embeddedInstallation, type Installation } from '../installation';
import type { Role } from '../role';
import { SECRET } from '../seed';
import type { ServiceHandlers } from '../service';
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
  /** The sending server that it hands over to. */
  server: { port: number; readonly pending: number };
  /** True: with the management API. */
  hasDoors?: boolean;
  /** Hears of every kill and start. */
  onFault?: (kind: string) => void;
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
 * A service on data of its own, before a sending server: its processes can be killed, frozen, stopped and started
 * again, and their clock advances (docs/crash-proof.md#the-stage).
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
  ) {
    const { roleLists = [], env = {} } = options;
    this.env = env;
    if (roleLists.length === 0) this.add('service', null, ports[0]!);
    const lists = [...roleLists, ...roleLists];
    lists.forEach((roles, i) => this.add(`${roles} ${i < roleLists.length ? 1 : 2}`, roles, ports[i]!));
  }

  static async open(options: StageOptions): Promise<Stage> {
    const { roleLists = [] } = options;
    const folder = mkdtempSync(join(tmpdir(), 'kurir-crash-'));
    mkdirSync(join(folder, 'data'), { recursive: true });
    const installation = options.installation ?? embeddedInstallation(join(folder, 'data'));
    const ports = await portsFor(Math.max(1, 2 * roleLists.length));
    return new Stage(options, folder, installation, ports);
  }

  /** Its data on the embedded engine. */
  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** The ports of its pages and its API, one for each process that has them. */
  get httpPorts(): number[] {
    return this.ports.filter((_, i) => this.hasRoleAt(i, 'api')).map(({ http }) => http);
  }
  get origins(): string[] {
    return this.httpPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  get baseUrls(): string[] {
    return this.origins.map((origin) => `${origin}/v1`);
  }
  get baseUrl(): string {
    return `${this.origins[0]}/v1`;
  }

  /** The ports of the listeners for delivery reports, and the first of them. */
  get bouncePorts(): number[] {
    return this.ports.filter((_, i) => this.hasRoleAt(i, 'mta-feedback')).map(({ bounce }) => bounce);
  }
  get bouncePort(): number {
    return this.bouncePorts[0]!;
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
    this.options.onFault?.('start');
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
    this.options.onFault?.('kill');
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

  /** True when nothing is pending: every log record is handled, every report of the sending server was taken. */
  async isIdle(): Promise<boolean> {
    return (await this.lag()) === 0 && this.options.server.pending === 0;
  }

  /** How long until something falls due for one of the processes, ms; null while one of them works or is down. */
  async rest(): Promise<number | null> {
    if (!(await this.isIdle())) return null;
    const rests = await Promise.all(this.members.map((member) => member.rest()));
    return rests.some((due) => due === null) ? null : Math.min(...rests.map((due) => due ?? 0));
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

  private hasRoleAt(i: number, role: string): boolean {
    const { roleLists = [] } = this.options;
    return hasRole([...roleLists, ...roleLists][i] ?? null, role);
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
      KURIR_MTA_URL: `smtp://127.0.0.1:${this.options.server.port}`,
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
