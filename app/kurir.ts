import type { ProcessLogger } from '../lib/logger';
import type { Sandbox } from '../sandbox/sandbox';
import { StoreClock } from '../operations/processes/store-clock';
import type { Config } from '../operations/config/config';
import { publicUrlFault } from '../operations/config/origin';
import type { Announced } from './engines/engine-host';
import { alarmParts } from './services/alarm-parts';
import { openEngineHost } from './engines/open-engine-host';
import { metricsPart } from './metrics/metrics-part';
import { enginePart } from './services/engine-part';
import { Health } from './core/health';
import { startAll, type Part } from './core/part';
import type { Relay } from './services/relay';
import { roleParts } from './services/role-parts';
import type { Services } from './shared-services';
import { StartContext, type StartOptions } from './services/start-context';
import { AdvancingClock } from '../lib/advancing-clock';
import { travelParts } from './services/travel-parts';
import type { TimeTravel } from './time-travel/time-travel';

export interface KurirOptions extends StartOptions {
  /** Default: the time of `storeClock`. */
  clock?: AdvancingClock;
  /** The clock of this machine. Tests give it one that is wrong. */
  storeClock?: StoreClock;
  logger: ProcessLogger;
  /** Hears of each part that has started, by its name. */
  onStarted?: (part: string) => void;
}

/** A running service: the roles of its configuration in one process. */
export interface Kurir {
  services: Services;
  /** Null without the role. */
  sandbox: Sandbox | null;
  /** Null where the clock cannot be moved. */
  travel: TimeTravel | null;
  baseUrl: string;
  /** Null without the role. */
  relay: Relay | null;
  firstSteps: Announced['firstSteps'];
  /** Drains within ten seconds and releases everything. */
  stop(): Promise<void>;
}

/** Every part of the program in the order of start. Each is created once those before it have started. */
const PARTS: readonly ((starting: StartContext) => readonly Part[])[] = [
  ({ host }) => [{ name: 'data directory', start: async () => undefined, stop: async () => host.dir?.release() }],
  ({ web, ports }) => [
    { name: 'port', start: async () => void (ports.http = await web.listen()), stop: () => web.close(0) },
  ],
  ({ dashboardWeb: web }) =>
    web === null
      ? []
      : [{ name: 'dashboard port', start: async () => void (await web.listen()), stop: () => web.close(0) }],
  (starting) => [enginePart(starting)],
  (starting) => metricsParts(starting),
  (starting) => roleParts(starting),
  (starting) => alarmParts(starting),
  (starting) => travelParts(starting),
];

function metricsParts(starting: StartContext): Part[] {
  const { config } = starting;
  const { metrics, logger, health } = starting.services;
  return metrics
    ? [metricsPart(metrics, { config, logger, health, onListen: (port) => (starting.metricsPort = port) })]
    : [];
}

/** Starts the service. Throws ConfigError, StartError and the errors of the stores, and then leaves nothing running. */
export async function startKurir(config: Config, options: KurirOptions): Promise<Kurir> {
  const storeClock = options.storeClock ?? new StoreClock();
  const clock = options.clock ?? new AdvancingClock(0, () => storeClock.now());
  const health = new Health();
  const { logger, programs, wrap } = options;
  const host = await openEngineHost(config, { clock, logger, health, programs, wrapEngine: wrap?.engine, storeClock });
  const starting = new StartContext(config, options, { clock, health, host });
  const running = await startAll(inOrder(starting), options.onStarted);
  try {
    return await announce(starting, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function* inOrder(starting: StartContext): Generator<Part> {
  for (const parts of PARTS) yield* parts(starting);
}

/** Records where the service is reached and logs that it runs. */
async function announce(starting: StartContext, running: { stop(): Promise<void> }): Promise<Kurir> {
  const { services, config, ports, sandbox, relay, travel, host } = starting;
  const hosts = config.webhookPrivateHosts;
  if (hosts.length > 0) services.logger.warn({ hosts }, 'webhooks are allowed to reach these private hosts');
  const linksFault = publicUrlFault(config);
  if (linksFault !== null && config.roles.includes('dispatch'))
    services.logger.warn({ publicUrl: config.publicUrl }, String(linksFault));
  const publicUrl = services.publicUrl();
  const open = {
    http: ports.http,
    ...(relay && { smtp: ports.smtp, smtps: ports.smtps }),
    ...(config.roles.includes('mta-feedback') && { bounce: ports.bounce }),
    ...(sandbox && { sandbox: ports.sandbox }),
    ...(starting.dashboardWeb && { dashboard: config.dashboardPort }),
    ...(starting.metricsPort !== null && { metrics: starting.metricsPort }),
  };
  const { firstSteps, withdraw } = await host.announce(services, { publicUrl, ports: open });
  services.health.running();
  const stop = async (): Promise<void> => {
    services.health.stopping();
    withdraw();
    await running.stop();
  };
  return { services, sandbox, relay, travel, baseUrl: `${publicUrl}/v1`, firstSteps, stop };
}
