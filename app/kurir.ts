import type { ProcessLogger } from '../lib/logger';
import { Activity } from '../lib/activity';
import type { Sandbox } from '../sandbox/sandbox';
import { AdvancingClock } from './time-travel/advancing-clock';
import type { Config } from './config/config';
import { Health } from './parts/health';
import type { Announced, EngineHost, OpenedEngine } from './engines/engine-host';
import { HttpServer } from './parts/http-server';
import { openEngineHost } from './engines/open-engine-host';
import { startAll, type Part } from './parts/part';
import { publicUrlOf } from './config/origin';
import { roleParts } from './parts/role-parts';
import { openSandbox } from './parts/sandbox-part';
import { makeNewId, type Services, type Wrappers } from './services';
import type { TimeTravel } from './time-travel/time-travel';

export interface KurirOptions {
  clock?: AdvancingClock;
  logger: ProcessLogger;
  /** For tests and the crash proof: puts wrappers around what the program is wired of. The program itself has none. */
  wrap?: Wrappers;
  /** The folder of the compiled programs of threads; without it the store lives in this thread, and mails are composed in it. */
  programs?: string;
  /** Aborted when the program is to end while it still waits for its servers. */
  signal?: AbortSignal;
}

/** A running service: the roles of its configuration in one process. */
export interface Kurir {
  services: Services;
  /** Null without the role. */
  sandbox: Sandbox | null;
  /** Null where the clock cannot be moved. */
  travel: TimeTravel | null;
  baseUrl: string;
  /** Set when this start made the demo workspace, with the file that tells of it. */
  firstRun: Announced['firstRun'];
  /** Drains within ten seconds and releases everything. */
  stop(): Promise<void>;
}

/** Starts the service. Throws ConfigError, StartError and the errors of the stores; then nothing is left running. */
export async function startKurir(config: Config, options: KurirOptions): Promise<Kurir> {
  const clock = options.clock ?? new AdvancingClock();
  const health = new Health();
  const { logger, programs, wrap } = options;
  const host = await openEngineHost(config, { clock, logger, health, programs, wrapEngine: wrap?.engine });
  const start = new Start(config, options, { clock, health, host });
  const running = await startAll(start.parts());
  try {
    return await start.announce(running);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** One start: each part is made of what those before it opened. */
class Start {
  private readonly ports: { http: number; bounce: number; sandbox: number };
  private readonly signal: AbortSignal;
  private services: Services | null = null;
  private sandbox: Sandbox | null = null;
  private travel: TimeTravel | null = null;

  constructor(
    private readonly config: Config,
    private readonly options: KurirOptions,
    private readonly basis: { clock: AdvancingClock; health: Health; host: EngineHost },
  ) {
    this.signal = options.signal ?? new AbortController().signal;
    this.ports = { http: config.httpPort, bounce: config.bouncePort, sandbox: config.sandboxPort };
  }

  *parts(): Generator<Part> {
    const { config, ports } = this;
    const { host, health } = this.basis;
    yield { name: 'data dir', start: async () => undefined, stop: async () => host.dir?.release() };
    const http = new HttpServer(config, health);
    yield { name: 'port', start: async () => void (ports.http = await http.listen()), stop: () => http.close(0) };
    let opened: OpenedEngine | null = null;
    yield {
      name: 'engine',
      start: async () => {
        opened = await this.openEngine();
      },
      stop: () => host.close(),
    };
    const services = this.makeServices(opened!);
    this.services = services;
    this.sandbox = openSandbox(services, host.dir, ports);
    const own: Part[] = [];
    const process = { services, web: http, sandbox: this.sandbox, ports, recovery: () => host.recovery(services) };
    own.push(...roleParts(process));
    yield* own.map((part) => ({ ...part, start: () => host.begin(part, this.signal) }));
    const { travel, parts } = host.travel(services, own);
    this.travel = travel;
    yield* parts;
  }

  async announce(running: { stop(): Promise<void> }): Promise<Kurir> {
    const { services, ports, sandbox, travel } = this;
    const { host, health } = this.basis;
    if (!services) throw new Error('nothing was started');
    const { roles } = this.config;
    const publicUrl = services.publicUrl();
    const open = {
      http: ports.http,
      ...(roles.includes('mta-feedback') && { bounce: ports.bounce }),
      ...(sandbox && { sandbox: ports.sandbox }),
    };
    const { firstRun, withdraw } = await host.announce(services, { publicUrl, ports: open });
    health.running();
    const stop = async (): Promise<void> => {
      health.stopping();
      withdraw();
      await running.stop();
    };
    return { services, sandbox, travel, baseUrl: `${publicUrl}/v1`, firstRun, stop };
  }

  /** What was opened before something went wrong is closed again. */
  private async openEngine(): Promise<OpenedEngine> {
    const { host } = this.basis;
    try {
      return await host.open(this.signal);
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  private makeServices(opened: OpenedEngine): Services {
    const { config, ports } = this;
    const { clock, health } = this.basis;
    const { wrap = {}, programs = null } = this.options;
    const { stores, log } = opened.engine;
    health.watch('store', () => stores.settings.get('switches').then(() => null));
    // The doors stay open without the log: what they take waits in the store.
    const isDoor = config.roles.includes('api') || config.roles.includes('public');
    health.watch('log', () => log.lag('coins').then(() => null), isDoor ? 'missed' : 'needed');
    const publicUrl = (): string => publicUrlOf(config, ports.http);
    return {
      ...opened,
      config,
      clock,
      wrap,
      programs,
      health,
      activity: new Activity(),
      publicUrl,
      newId: makeNewId(clock),
    };
  }
}
