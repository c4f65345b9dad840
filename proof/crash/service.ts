import pino from 'pino';
import { sleep } from '../../lib/sleep';
import { StoreClock } from '../../operations/processes/store-clock';
import { AdvancingClock } from '../../lib/advancing-clock';
import { readConfig, type Config } from '../../operations/config/config';
import { startKurir, type Kurir } from '../../app/kurir';
import { ONLY_SERVER } from '../../domain/sending/server-routes';
import { openHttpApps } from '../../app/program/http-apps';
import { faultyTransport } from '../../email/transports/faulty-transport';
import { UnavailableError } from '../../lib/errors';
import type { DueTask, TaskClaim } from '../../stores/ports/due-tasks';
import { faultyPort } from '../../stores/wrappers/faulty-port';
import { faultyEngine } from '../../stores/wrappers/faulty-engine';
import { Faults, type FaultRule } from '../../stores/wrappers/faults';
import { GROUPS, type GroupName } from '../../streams/topics';
import { dueSends, scheduleSend, type DueSend } from './due-sends';
import { CRASH_POINTS, type CrashPoint } from './points';
import type { Handlers } from './stage/role';
import { SmtpRelay } from './smtp-relay';

export interface ServiceOptions {
  /** How far its clock is ahead of real time, ms. */
  ahead: number;
  /** How far the clock of its machine is off, ms; negative: behind. */
  skew?: number;
  /** Name of the crash point at which the service dies, or null. */
  point: string | null;
}

/** The calls the service serves to its parent process. */
export type ServiceHandlers = Handlers & {
  advance: (ms: number) => void;
  /** Sets the clock of its machine this far off, ms. */
  skew: (ms: number) => void;
  /** How far each group is behind in the log, records. */
  lags: () => Promise<Record<string, number>>;
  /** Null while it works; else how long until something falls due for its clock, ms. */
  rest: () => number | null;
  /** What it works at, by name; the first of much. */
  works: () => string[];
  /** Returns the id of the mail once due work has accepted it, else null. */
  scheduleSend: (send: DueSend) => Promise<string | null>;
};

/** Tasks that are named. */
const NAMED = 9;

/** A real crash: no handler runs, nothing is flushed. */
const die = (): void => void process.kill(process.pid, 'SIGKILL');

/**
 * Runs the service as `npm start` does, with a clock that the parent process can advance. Its ports are wrapped only
 * when a crash point is given. Configured by the environment. Throws on an unknown crash point.
 */
export async function runService({ ahead, skew = 0, point }: ServiceOptions): Promise<ServiceHandlers> {
  const machine = { skew };
  const storeClock = new StoreClock({ wall: () => Date.now() + machine.skew });
  const clock = new AdvancingClock(ahead, () => storeClock.now());
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
  const chosen = point === null ? null : CRASH_POINTS.find(({ name }) => name === point);
  if (chosen === undefined) throw new Error(`There is no crash point "${point}".`);
  const wrap = { ...(chosen && wrappers(chosen)), dueWork: dueSends };
  const parts = { clock, storeClock, logger, programs: __dirname, httpApps: openHttpApps, wrap };
  const kurir = await startKurir(chosen ? await throughRelay(config, chosen) : config, parts);
  process.once('SIGTERM', () => void kurir.stop().then(() => process.exit(0)));
  return handlers(kurir, clock, machine);
}

function handlers(kurir: Kurir, clock: AdvancingClock, machine: { skew: number }): ServiceHandlers {
  const { activity, engine } = kurir.services;
  const { log } = engine;
  return {
    advance: (ms) => clock.advance(ms),
    skew: (ms) => void (machine.skew = ms),
    rest: () => (activity.isQuiet ? Math.max(0, clock.nextDue() - clock.now()) : null),
    works: () => activity.names(NAMED),
    lags: async () => {
      const groups = Object.keys(GROUPS) as GroupName[];
      return Object.fromEntries(await Promise.all(groups.map(async (group) => [group, await log.lag(group)] as const)));
    },
    scheduleSend: (send) => scheduleSend(kurir.services, send),
  };
}

/** The program has due work of its own: a point names the kind that it means. */
const KINDS_OF_WORK = {
  schedule: ([first]: readonly DueTask[]) => first?.kind ?? null,
  finish: ({ kind }: TaskClaim) => kind,
};

function wrappers({ at }: CrashPoint): NonNullable<Parameters<typeof startKurir>[1]['wrap']> {
  const { operation, nth, when } = 'smtp' in at ? { operation: '', nth: 0, when: 'before' as const } : at;
  const rules: FaultRule[] = [{ operation, nth, fault: { kind: 'crash', when } }];
  const faults = new Faults(rules, {
    crash: die,
    error: (name) => new UnavailableError(name),
    pause: (ms) => sleep(ms),
  });
  return {
    engine: (engine) => faultyEngine(engine, faults, KINDS_OF_WORK),
    transport: (transport) => faultyTransport(transport, faults),
    webhookSender: (sender) => faultyPort(sender, 'webhookSender', faults),
  };
}

async function throughRelay(config: Config, { at }: CrashPoint): Promise<Config> {
  if (!('smtp' in at)) return config;
  const { hostname, port } = new URL(config.mtaUrl ?? '');
  const relay = new SmtpRelay({ host: hostname, port: Number(port) }, at.smtp, die);
  const url = `smtp://127.0.0.1:${await relay.listen()}`;
  return { ...config, mtaUrl: url, mtaServers: [{ name: ONLY_SERVER, url }] };
}
