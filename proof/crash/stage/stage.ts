import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { freePorts } from '../free-ports';
import { embeddedInstallation, type Installation } from '../installation';
import { SECRET } from '../seed';
import type { ServiceHandlers } from '../service';
import { CommandLine } from './command-line';
import { Member, type Ports } from './member';
import type { Role } from './role';
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
  /** Hears of every kill and start. */
  onFault?: (kind: string) => void;
}

/** Of a machine with much else to do, ms. */
const STOP_LIMIT = 60_000;
/** Delay before the restart of a process that ended by itself, ms. */
const RESTART = 500;

/**
 * A service on data of its own, before a sending server: its processes can be killed, frozen, stopped and started
 * again, and their clock advances (docs/crash-proof.md#the-stage).
 */
export class Stage {
  readonly members: Member[] = [];
  kills = 0;
  /** Processes that ended by themselves, and how. Where there are several, they are started again. */
  readonly unexpectedExits: string[] = [];
  /** The ports of the API and of the listeners for delivery reports, of the processes it was opened with. */
  readonly httpPorts: readonly number[];
  readonly bouncePorts: readonly number[];
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
    ports: readonly Ports[],
  ) {
    const { roleLists = [], env = {} } = options;
    this.env = env;
    if (roleLists.length === 0) this.add('service', null, ports[0]!);
    const lists = [...roleLists, ...roleLists];
    lists.forEach((roles, i) => this.add(`${roles} ${i < roleLists.length ? 1 : 2}`, roles, ports[i]!));
    this.httpPorts = this.withRole('api').map((member) => member.ports.http);
    this.bouncePorts = this.withRole('mta-feedback').map((member) => member.ports.bounce);
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

  /** `kurir` on its data. */
  get commandLine(): CommandLine {
    const env = { ...this.installation.env, KURIR_SECRET: SECRET, KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' };
    return new CommandLine(dirname(this.options.program), env);
  }

  /** The port of the relay with TLS from the start. */
  get smtpsPort(): number {
    return this.members[0]!.ports.smtps;
  }

  /** The first process, or the only one. Throws when none was started. */
  get service(): Role<ServiceHandlers> {
    return this.members[0]!.process;
  }

  /** The members with this role. */
  withRole(role: string): Member[] {
    return this.members.filter((member) => member.hasRole(role));
  }

  /** Starts all processes on the existing data; false when one died during startup. */
  async start(point: string | null = null): Promise<boolean> {
    this.closing = false;
    const ready = await Promise.all(this.members.map((member) => this.startMember(member, point)));
    return ready.every(Boolean);
  }

  /** Starts these processes, or all; throws when one does not serve. */
  async mustStart(members: readonly Member[] = this.members): Promise<void> {
    this.closing = false;
    const ready = await Promise.all(members.map((member) => this.startMember(member)));
    const failed = members.filter((_, i) => !ready[i]).map(({ name }) => name);
    if (failed.length > 0) throw new Error(`${failed.join(', ')} did not start; see ${this.folder}.`);
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
    await this.mustStart([member]);
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
    await member.process.kill();
    return member;
  }

  /** Stops the process with SIGTERM until it is started. Returns what was wrong with its end. */
  async stopMember(member: Member): Promise<string[]> {
    this.resting.add(member);
    const { code, signal } = await member.process.terminate(STOP_LIMIT);
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
    await Promise.all(this.members.map((member) => member.process.call('advance', ms).catch(() => undefined)));
  }

  /** True when nothing is pending: every log record is handled, every report of the sending server was taken. */
  async isIdle(): Promise<boolean> {
    const lags = await this.lags();
    return lags !== null && Object.values(lags).every((lag) => lag === 0) && this.pendingReports === 0;
  }

  /** How far each group is behind in the log, records; null when no process tells. */
  async lags(): Promise<Record<string, number> | null> {
    const member = this.members.find(({ serves }) => serves);
    return (await member?.process.call('lags', undefined).catch(() => null)) ?? null;
  }

  /** Reports that the sending server still has to make. */
  get pendingReports(): number {
    return this.options.server.pending;
  }

  /**
   * How long until something falls due for one of the processes, ms; null while one of them works or is down. They are
   * asked again after the log: what one finished meanwhile may have given work to another.
   */
  async rest(): Promise<number | null> {
    if ((await this.restOfAll()) === null || !(await this.isIdle())) return null;
    return this.restOfAll();
  }

  private async restOfAll(): Promise<number | null> {
    const rests = await Promise.all(this.members.map((member) => member.rest()));
    return rests.reduce<number | null>(
      (least, due) => (least === null || due === null ? null : Math.min(least, due)),
      Infinity,
    );
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
    const { code, signal } = await member.process.ended;
    const rests = (): boolean => this.closing || this.resting.has(member);
    if (rests()) return;
    this.unexpectedExits.push(`${member.name} ended with ${signal ?? code}`);
    await sleep(RESTART);
    if (!rests()) await this.startMember(member);
  }

  private add(name: string, roles: RoleList | null, ports: Ports): Member {
    const { program, server } = this.options;
    const env = (): Record<string, string> => ({
      ...this.installation.env,
      KURIR_SECRET: SECRET,
      KURIR_HTTP_PORT: String(ports.http),
      KURIR_BOUNCE_PORT: String(ports.bounce),
      KURIR_SMTP_PORT: '0',
      KURIR_METRICS_PORT: '0',
      KURIR_SMTPS_PORT: String(ports.smtps),
      KURIR_MTA_URL: `smtp://127.0.0.1:${server.port}`,
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      KURIR_LOG_LEVEL: roles === null ? 'warn' : 'info',
      ...(roles !== null && { KURIR_ROLES: roles, KURIR_PUBLIC_URL: `http://127.0.0.1:${this.httpPorts[0]}` }),
      ...this.env,
    });
    const member = new Member({ name, roles, ports, program, env, folder: this.folder });
    this.members.push(member);
    return member;
  }
}

async function portsFor(count: number): Promise<Ports[]> {
  const ports = await freePorts(3 * count);
  return Array.from({ length: count }, (_, i) => ({
    http: ports[3 * i]!,
    bounce: ports[3 * i + 1]!,
    smtps: ports[3 * i + 2]!,
  }));
}
