import { ROLES } from '../../../app/config/roles';
import { freePorts } from '../free-ports';
import type { Installation } from '../installation';
import { sleep } from '../../../lib/sleep';
import { Member } from './member';

/** The roles of one process: the value of KURIR_ROLES. */
export type RoleList = string;

/** All roles but the relay's and the sandbox's, split over as few processes as show each important role alone. */
export const ROLE_LISTS: readonly RoleList[] = [
  'api,public,dashboard',
  'throttle',
  'dispatch',
  'mta-feedback,coins,engagement,webhooks,conversions',
  'timers,campaigns,journeys',
];
/** All of them in one process. A group without a reader has a lag that never ends. */
export const ALL_ROLES: RoleList = ROLES.filter((role) => role !== 'smtp' && role !== 'sandbox').join();

export interface ClusterProcessesOptions {
  program: string;
  installation: Installation;
  /** Variables besides those of the installation. */
  env: Readonly<Record<string, string>>;
  /** Two processes run each list of roles. */
  roleLists: readonly RoleList[];
  mtaUrl: (bouncePorts: readonly number[]) => Promise<string>;
  folder: string;
}

interface Ports {
  http: number;
  bounce: number;
}

/** Of a machine with much else to do, ms. */
const STOP_LIMIT = 60_000;
/** Delay before the restart of a process that ended by itself, ms. */
const RESTART = 500;

/** The processes of one installation. One that ends by itself is noted and restarted, as by a supervisor. */
export class ClusterProcesses {
  readonly members: Member[] = [];
  kills = 0;
  /** Processes that ended by themselves, and how. */
  readonly unexpectedExits: string[] = [];
  private ahead = 0;
  private closing = false;
  private readonly stopped = new Set<Member>();

  private constructor(
    private readonly options: Omit<ClusterProcessesOptions, 'mtaUrl'>,
    private readonly env: Readonly<Record<string, string>>,
    /** The base URLs of its API. */
    readonly baseUrls: readonly string[],
  ) {}

  static async create({ mtaUrl, ...options }: ClusterProcessesOptions): Promise<ClusterProcesses> {
    const roleLists = [...options.roleLists, ...options.roleLists];
    const ports = await portsFor(roleLists.length);
    const withRole = (role: string): Ports[] => ports.filter((_, i) => roleLists[i]?.split(',').includes(role));
    const bases = withRole('api').map(({ http }) => `http://127.0.0.1:${http}`);
    const env = {
      ...options.installation.env,
      ...options.env,
      KURIR_MTA_URL: await mtaUrl(withRole('mta-feedback').map(({ bounce }) => bounce)),
      KURIR_PUBLIC_URL: bases[0] ?? '',
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_LOG_LEVEL: 'info',
    };
    const processes = new ClusterProcesses(
      options,
      env,
      bases.map((base) => `${base}/v1`),
    );
    roleLists.forEach((roles, i) => processes.add(roles, i < options.roleLists.length ? 1 : 2, ports[i] as Ports));
    return processes;
  }

  /** Starts all processes at once. Throws when one does not start. */
  async start(): Promise<void> {
    const ready = await Promise.all(this.members.map((member) => this.startMember(member)));
    const failed = this.members.filter((_, i) => !ready[i]).map(({ name }) => name);
    if (failed.length > 0) throw new Error(`${failed.join(', ')} did not start; see ${this.options.folder}.`);
  }

  /** The members with this role. */
  withRole(role: string): Member[] {
    return this.members.filter(({ name }) => name.split(/[ ,]/).includes(role));
  }

  /** Starts one more process, on a machine whose clock is `skew` ms off. Throws when it does not start. */
  async join(roles: RoleList, number: number, skew = 0): Promise<Member> {
    const [ports] = await portsFor(1);
    const member = this.add(roles, number, ports as Ports);
    await member.skew(skew);
    if (!(await this.startMember(member))) throw new Error(`${member.name} did not start; see ${this.options.folder}.`);
    return member;
  }

  /** Stops the process gracefully, for good. */
  async leave(member: Member): Promise<void> {
    this.stopped.add(member);
    this.noteEnd(member, await member.terminate(STOP_LIMIT));
    this.members.splice(this.members.indexOf(member), 1);
    await member.clear();
  }

  /** Sends SIGKILL. The process stays down until `startMember`. */
  async kill(member: Member): Promise<void> {
    this.kills += 1;
    this.stopped.add(member);
    await member.kill();
  }

  /** Stops the process with SIGTERM until `startMember`. Returns what was wrong with its end, or null. */
  async stopMember(member: Member): Promise<string | null> {
    this.stopped.add(member);
    const { code, signal } = await member.terminate(STOP_LIMIT);
    return code === 0 ? null : `${member.name} did not stop cleanly: ${signal ?? code}`;
  }

  /** Starts the process, and restarts it when it ends by itself. */
  async startMember(member: Member): Promise<boolean> {
    this.stopped.delete(member);
    const ready = member.start(this.ahead);
    void member.ended.then(async ({ code, signal }) => {
      if (this.staysDown(member)) return;
      this.unexpectedExits.push(`${member.name} ended with ${signal ?? code}`);
      await sleep(RESTART);
      if (!this.staysDown(member)) await this.startMember(member);
    });
    return ready;
  }

  /** Advances the clock of all processes, now and after later restarts. */
  async advance(ms: number): Promise<void> {
    this.ahead += ms;
    await Promise.all(this.members.map((member) => member.advance(ms).catch(() => undefined)));
  }

  /** Number of log records that are not handled yet; null when no process answers. */
  async lag(): Promise<number | null> {
    const member = this.members.find(({ serves }) => serves);
    return member ? member.lag().catch(() => null) : null;
  }

  /** Stops all processes gracefully; returns a line for each that did not end cleanly. */
  async stop(): Promise<string[]> {
    this.closing = true;
    const known = this.unexpectedExits.length;
    await Promise.all(this.members.map(async (member) => this.noteEnd(member, await member.terminate(STOP_LIMIT))));
    return this.unexpectedExits.splice(known);
  }

  async clear(): Promise<void> {
    this.closing = true;
    await Promise.all(this.members.map((member) => member.clear()));
  }

  private add(roles: RoleList, number: number, { http, bounce }: Ports): Member {
    const { program, folder } = this.options;
    const ports = { KURIR_HTTP_PORT: String(http), KURIR_BOUNCE_PORT: String(bounce) };
    const env = { ...this.env, ...ports, KURIR_ROLES: roles };
    const member = new Member({ name: `${roles} ${number}`, program, env, folder });
    this.members.push(member);
    return member;
  }

  /** True when the process must not be restarted. */
  private staysDown(member: Member): boolean {
    return this.closing || this.stopped.has(member);
  }

  private noteEnd({ name }: Member, { code, signal }: { code: number | null; signal: string | null }): void {
    if (code !== 0) this.unexpectedExits.push(`${name} did not stop cleanly: ${signal ?? code}`);
  }
}

async function portsFor(count: number): Promise<Ports[]> {
  const ports = await freePorts(2 * count);
  return Array.from({ length: count }, (_, i) => ({ http: ports[2 * i] ?? 0, bounce: ports[2 * i + 1] ?? 0 }));
}
