import { freePorts } from '../free-ports';
import type { Installation } from '../installation';
import { sleep } from '../../lib/sleep';
import { Member } from './member';

/** What one process does: the value of KURIR_ROLES. */
export type Duty = string;

/** Every role, as few processes as show each on its own. */
export const DUTIES: readonly Duty[] = [
  'api,public',
  'throttle',
  'dispatch',
  'mta-feedback,coins,engagement',
  'timers',
];

export interface CastOptions {
  program: string;
  installation: Installation;
  /** Every duty is done by two processes. */
  duties: readonly Duty[];
  mtaUrl: (bouncePorts: readonly number[]) => Promise<string>;
  folder: string;
}

interface Ports {
  http: number;
  bounce: number;
}

const STOP_LIMIT = 15_000;
/** Before a process that ended by itself is started again, ms. */
const RESTART = 500;

/** The processes of one installation; one that ends by itself is started again, as its supervisor would, and told. */
export class Cast {
  readonly members: Member[] = [];
  kills = 0;
  /** Processes that ended by themselves, and how. */
  readonly quits: string[] = [];
  private ahead = 0;
  private closing = false;
  private readonly resting = new Set<Member>();

  private constructor(
    private readonly options: Omit<CastOptions, 'mtaUrl'>,
    private readonly env: Readonly<Record<string, string>>,
    /** The base URLs of its API. */
    readonly doors: readonly string[],
  ) {}

  static async set({ mtaUrl, ...options }: CastOptions): Promise<Cast> {
    const duties = [...options.duties, ...options.duties];
    const ports = await portsFor(duties.length);
    const withRole = (role: string): Ports[] => ports.filter((_, i) => duties[i]?.split(',').includes(role));
    const bases = withRole('api').map(({ http }) => `http://127.0.0.1:${http}`);
    const env = {
      ...options.installation.env,
      KURIR_MTA_URL: await mtaUrl(withRole('mta-feedback').map(({ bounce }) => bounce)),
      KURIR_PUBLIC_URL: bases[0] ?? '',
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_LOG_LEVEL: 'info',
    };
    const cast = new Cast(
      options,
      env,
      bases.map((base) => `${base}/v1`),
    );
    duties.forEach((duty, i) => cast.add(duty, i < options.duties.length ? 1 : 2, ports[i] as Ports));
    return cast;
  }

  /** Starts everyone at once. */
  async start(): Promise<void> {
    const ready = await Promise.all(this.members.map((member) => this.raise(member)));
    const failed = this.members.filter((_, i) => !ready[i]).map(({ name }) => name);
    if (failed.length > 0) throw new Error(`${failed.join(', ')} did not start; see ${this.options.folder}.`);
  }

  /** Members that do this. */
  doing(role: string): Member[] {
    return this.members.filter(({ name }) => name.split(/[ ,]/).includes(role));
  }

  /** A further process, started. */
  async hire(duty: Duty, number: number): Promise<Member> {
    const [ports] = await portsFor(1);
    const member = this.add(duty, number, ports as Ports);
    if (!(await this.raise(member))) throw new Error(`${member.name} did not start; see ${this.options.folder}.`);
    return member;
  }

  /** Stops it in order and for good. */
  async dismiss(member: Member): Promise<void> {
    this.resting.add(member);
    this.noteEnd(member, await member.terminate(STOP_LIMIT));
    this.members.splice(this.members.indexOf(member), 1);
    await member.clear();
  }

  /** SIGKILL; it stays down until it is raised. */
  async kill(member: Member): Promise<void> {
    this.kills += 1;
    this.resting.add(member);
    await member.kill();
  }

  /** Starts it, and watches it. */
  async raise(member: Member): Promise<boolean> {
    this.resting.delete(member);
    const ready = member.start(this.ahead);
    void member.ended.then(async ({ code, signal }) => {
      if (this.isOver(member)) return;
      this.quits.push(`${member.name} ended with ${signal ?? code}`);
      await sleep(RESTART);
      if (!this.isOver(member)) await this.raise(member);
    });
    return ready;
  }

  /** Moves the time of everyone, now and in later lives. */
  async advance(ms: number): Promise<void> {
    this.ahead += ms;
    await Promise.all(this.members.map((member) => member.advance(ms).catch(() => undefined)));
  }

  /** Records that are not handled; null when nobody can tell. */
  async lag(): Promise<number | null> {
    const asked = this.members.find(({ serves }) => serves);
    return asked ? asked.lag().catch(() => null) : null;
  }

  /** Stops everyone in order; answers who did not end well. */
  async stop(): Promise<string[]> {
    this.closing = true;
    const told = this.quits.length;
    await Promise.all(this.members.map(async (member) => this.noteEnd(member, await member.terminate(STOP_LIMIT))));
    return this.quits.splice(told);
  }

  async clear(): Promise<void> {
    this.closing = true;
    await Promise.all(this.members.map((member) => member.clear()));
  }

  private add(duty: Duty, number: number, { http, bounce }: Ports): Member {
    const { program, folder } = this.options;
    const ports = { KURIR_HTTP_PORT: String(http), KURIR_BOUNCE_PORT: String(bounce) };
    const env = { ...this.env, ...ports, KURIR_ROLES: duty };
    const member = new Member({ name: `${duty} ${number}`, program, env, folder });
    this.members.push(member);
    return member;
  }

  /** Nobody is to start it again. */
  private isOver(member: Member): boolean {
    return this.closing || this.resting.has(member);
  }

  private noteEnd({ name }: Member, { code, signal }: { code: number | null; signal: string | null }): void {
    if (code !== 0) this.quits.push(`${name} did not stop in order: ${signal ?? code}`);
  }
}

async function portsFor(count: number): Promise<Ports[]> {
  const ports = await freePorts(2 * count);
  return Array.from({ length: count }, (_, i) => ({ http: ports[2 * i] ?? 0, bounce: ports[2 * i + 1] ?? 0 }));
}
