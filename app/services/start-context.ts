import type { Middleware } from 'koa';
import { BounceRules, builtInRules } from '../../domain/bounces/bounce-rules';
import { openDestinations } from './destinations';
import { Activity } from '../../lib/activity';
import type { Sandbox } from '../../sandbox/sandbox';
import type { Config } from '../../operations/config/config';
import { Metrics } from '../metrics/metrics';
import { dashboardUrlOf, hasOwnPort, publicUrlOf } from '../../operations/config/origin';
import { engineTools } from '../engines/engine-tools';
import type { EngineHost, OpenedEngine } from '../engines/engine-host';
import { wakingEngine } from './waking-engine';
import { watchedEngine } from '../engines/watched-engine';
import { loggedMessages } from '../logging/logged-messages';
import type { Health } from '../core/health';
import { HttpServer } from './http-server';
import type { Part } from '../core/part';
import type { Relay } from './relay';
import type { WebhookRequests } from './webhook-requests';
import { makeNewId } from '../../lib/new-id';
import type { Services, Wrappers } from '../shared-services';
import type { AdvancingClock } from '../../lib/advancing-clock';
import type { TimeTravel } from '../time-travel/time-travel';

export interface StartOptions {
  /** For tests and the crash proof: wraps what the program is built from. The program itself has no wrappers. */
  wrap?: Wrappers;
  /** Folder of the compiled worker threads; without it the store runs and mails are composed in this thread. */
  programs?: string;
  /** Makes what the HTTP port serves beside the API, such as the dashboard; null: nothing. */
  httpApps?: (services: Services) => Middleware;
  /** Abort it to end the program while it still waits for its servers. */
  signal?: AbortSignal;
}

/** The state of a start. Each part adds what it opened for those after it. */
export class StartContext {
  /** The real ports, once bound. */
  readonly ports: { http: number; smtp: number; smtps: number; bounce: number; sandbox: number };
  /** Where the metrics are; null when they are off, and while their port is taken. */
  metricsPort: number | null = null;
  readonly signal: AbortSignal;
  readonly web: HttpServer;
  /** Null when the dashboard has no port of its own. */
  readonly dashboardWeb: HttpServer | null;
  /** The parts of the roles, which take part in time travel. */
  roleParts: readonly Part[] = [];
  sandbox: Sandbox | null = null;
  /** Null without the role, and until it listens. */
  relay: Relay | null = null;
  travel: TimeTravel | null = null;
  /** Null until a role with webhooks is built. */
  webhookRequests: WebhookRequests | null = null;
  private opened: Services | null = null;

  constructor(
    readonly config: Config,
    readonly options: StartOptions,
    private readonly basis: { clock: AdvancingClock; health: Health; host: EngineHost },
  ) {
    this.signal = options.signal ?? new AbortController().signal;
    this.ports = {
      http: config.httpPort,
      smtp: config.smtpPort,
      smtps: config.smtpsPort,
      bounce: config.bouncePort,
      sandbox: config.sandboxPort,
    };
    const { httpPort, dashboardPort } = config;
    this.web = new HttpServer(config, { port: httpPort, of: 'REST API', name: 'KURIR_HTTP_PORT' }, basis.health);
    const own = { port: dashboardPort, of: 'dashboard', name: 'KURIR_DASHBOARD_PORT' };
    this.dashboardWeb = hasOwnPort(config) ? new HttpServer(config, own, basis.health) : null;
  }

  get host(): EngineHost {
    return this.basis.host;
  }

  /** Throws if the engine is not open yet. */
  get services(): Services {
    if (!this.opened) throw new Error('the engine is not open yet');
    return this.opened;
  }

  /** Call once the engine is open: what every part receives is known from then on. */
  provide(opened: OpenedEngine): void {
    const { config, ports, options } = this;
    const { clock, health } = this.basis;
    const watched = watchedEngine(opened.engine, health.failing);
    const logged =
      config.logLevel === 'debug' || config.logLevel === 'trace' ? loggedMessages(watched, opened.logger) : watched;
    const metrics = config.metricsPort === 0 ? null : new Metrics(config);
    metrics?.read({
      engine: logged,
      clock,
      roles: config.roles,
      processLease: opened.processLease,
    });
    const activity = new Activity();
    const engine = wakingEngine(metrics?.engine(logged) ?? logged, { clock, activity, logger: opened.logger });
    const bounceRules = config.bounceRules.length > 0 ? new BounceRules(config.bounceRules) : builtInRules;
    this.opened = {
      ...opened,
      engine,
      tools: engineTools,
      metrics,
      config,
      clock,
      health,
      wrap: options.wrap ?? {},
      programs: options.programs ?? null,
      activity,
      publicUrl: () => publicUrlOf(config, ports.http),
      dashboardUrl: () => dashboardUrlOf(config, publicUrlOf(config, ports.http)),
      newId: makeNewId(clock),
      bounceRules,
      destinations: openDestinations(config, {
        records: engine.stores.records,
        clock,
        logger: opened.logger,
        bounceRules,
      }),
    };
  }
}
