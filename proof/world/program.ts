import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import { AdvancingClock } from '../../lib/advancing-clock';
import { readConfig } from '../../operations/config/config';
import { startKurir, type Kurir, type KurirOptions } from '../../app/kurir';
import type { Services } from '../../app/shared-services';
import { openHttpApps } from '../../app/program/http-apps';
import { silentLogger } from '../../lib/logger';
import { Owner } from './schedule';
import { SECRET } from './template';
import type { World } from './world';

/** Where the program and those around it listen: in the world here, on a real machine at free ports. */
export const PORTS: Ports = { http: 8080, bounce: 2525, mta: 25, smtp: 2587, smtps: 2465, hooks: 9_000 };

export type Ports = Record<'http' | 'bounce' | 'mta' | 'smtp' | 'smtps' | 'hooks', number>;

export interface ProgramOptions {
  /** Holds the data dir of each life. */
  folder: string;
  /** A data dir to start with. */
  template: string;
  wrap?: KurirOptions['wrap'];
  env?: Readonly<Record<string, string>>;
  log?: (line: string) => void;
  onDeath: (how: 'kill' | 'power') => void;
  /** Whether a death is a loss of power. */
  power: () => boolean;
}

/** The program with all its roles, in the world: it starts, dies and starts again on what its last life left. */
export class Program {
  lives = 0;
  /** How far its clock is ahead of the world's, ms. */
  ahead = 0;
  private clock: AdvancingClock | null = null;
  private owner: Owner | null = null;
  private kurir: Kurir | null = null;

  constructor(
    private readonly world: World,
    private readonly options: ProgramOptions,
  ) {
    mkdirSync(options.folder, { recursive: true });
    cpSync(options.template, this.dir(0), { recursive: true });
  }

  /** The clock of this life. */
  get lifeClock(): AdvancingClock {
    return this.clock!;
  }

  get isUp(): boolean {
    return this.kurir !== null && this.owner?.alive === true;
  }

  /** True from its first life on. */
  get isStarted(): boolean {
    return this.owner !== null;
  }

  get running(): Kurir | null {
    return this.isUp ? this.kurir : null;
  }

  /** How long it is still frozen, ms. */
  get frozenFor(): number {
    return this.owner?.alive ? Math.max(0, this.owner.frozenUntil - this.world.now) : 0;
  }

  get dataDir(): string {
    return this.dir(this.lives);
  }

  /** Starts it. Resolves to false if it dies meanwhile. */
  async start(): Promise<boolean> {
    const owner = new Owner(`kurir ${this.lives}`);
    this.owner = owner;
    this.kurir = null;
    const kurir = await this.inside(() => this.startKurir());
    this.kurir = kurir;
    return kurir !== null;
  }

  /** Ends it at once, as SIGKILL does, or as the loss of power: then only a part survives of what was not synced. */
  die(): void {
    const { owner, world } = this;
    if (!owner?.alive) return;
    const how = this.options.power() ? 'power' : 'kill';
    world.kill(owner);
    const torn = how === 'power' ? (bytes: number): number => world.random.faults.below(bytes + 1) : null;
    world.disk.leave(owner, this.dir(this.lives), this.dir(this.lives + 1), torn);
    this.lives += 1;
    this.onDeath.splice(0).forEach((call) => call());
    this.options.onDeath(how);
  }

  /** How long until something falls due for its clock, ms; Infinity if nothing does. */
  nextDue(): number {
    const { clock } = this;
    return clock ? clock.nextDue() - clock.now() : Infinity;
  }

  /** Moves its clock forward unless it works: a lease must not end in the midst of what it is for. */
  async advance(ms: number): Promise<void> {
    await this.inside(async () => {
      if (!this.running?.services.activity.isQuiet) return;
      this.ahead += ms;
      this.clock?.moveTo(this.ahead);
    });
  }

  /** Ends it in order; false if it dies meanwhile. */
  async stop(): Promise<boolean> {
    const { owner, kurir } = this;
    const stopped = kurir && (await this.inside(() => kurir.stop().then(() => true)));
    if (owner) this.world.kill(owner);
    return stopped === true;
  }

  /** Runs a call in the process of the program. Null if it dies meanwhile. */
  inside<T>(call: () => Promise<T>): Promise<T | null> {
    const { owner, world } = this;
    return new Promise((resolve, reject) => {
      if (!owner?.alive) return resolve(null);
      const back = (go: () => void): void => void world.schedule.turn('back', go, world.outside);
      this.onDeath.push(() => back(() => resolve(null)));
      const run = (): void =>
        void call().then(
          (value) => back(() => resolve(value)),
          (error: unknown) => back(() => reject(asError(error))),
        );
      world.schedule.turn('inside', run, owner);
    });
  }

  private readonly onDeath: (() => void)[] = [];

  private dir(life: number): string {
    return join(this.options.folder, `life-${life}`);
  }

  private startKurir(): Promise<Kurir> {
    const config = readConfig({
      KURIR_DATA_DIR: this.dataDir,
      KURIR_SECRET: SECRET,
      KURIR_HTTP_PORT: String(PORTS.http),
      KURIR_BOUNCE_PORT: String(PORTS.bounce),
      KURIR_SMTP_PORT: String(PORTS.smtp),
      KURIR_SMTPS_PORT: String(PORTS.smtps),
      KURIR_METRICS_PORT: '0',
      KURIR_MTA_URL: `smtp://127.0.0.1:${PORTS.mta}`,
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      // What the DNS of this machine says follows from no seed.
      KURIR_DNS: 'off',
      KURIR_LOG_LEVEL: 'silent',
      ...this.options.env,
    });
    const { wrap } = this.options;
    const clock = new AdvancingClock(this.ahead);
    this.clock = clock;
    const httpApps = (services: Services): Middleware => openHttpApps(services);
    return startKurir(config, { clock, logger: this.logger(), httpApps, ...(wrap && { wrap }) });
  }

  private logger(): KurirOptions['logger'] {
    const { log } = this.options;
    if (!log) return { ...silentLogger, fatal: () => undefined };
    const say =
      (level: string) =>
      (facts: object, text?: string): void =>
        log(`${level} ${text ?? ''} ${JSON.stringify(facts, errors)}`);
    const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
    return Object.fromEntries(levels.map((level) => [level, say(level)])) as never;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const errors = (_name: string, value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? value.message) : value;
