import { Activity } from '../domain/activity';
import type { Engine } from '../stores/ports/engine';
import type { Logger } from 'pino';
import { openEmbedded } from '../stores/embedded/open';
import { openThreaded } from '../stores/embedded/threaded/open-threaded';
import type { Sandbox } from '../sandbox/sandbox';
import { Accounts } from './accounts';
import { AdvancingClock } from './clock';
import type { Config } from './config';
import { DATABASE, openDataDir, readOrMakeSecret, writeDurably, type DataDir } from './data-dir';
import { consumerParts } from './consumers';
import { controlPart } from './control-server';
import { demoAddresses, isFirstRun, makeDemo, type FirstRun } from './first-run';
import { HttpServer } from './http-server';
import { startAll, type Part } from './life-cycle';
import { announceRunning } from './running-file';
import { VERSION } from './version';
import { LOOPBACK, publicUrlOf } from './origin';
import { recoveryPart } from './recovery';
import { reportsPart } from './reports';
import { checkedKeyring, makeIds, type Services, type Wrappers } from './services';
import { openSandbox, sandboxPart } from './sandbox-part';
import { StartError } from './start-error';
import { clockForStart } from './stored-clock';
import { TimeTravel } from './time-travel';
import { serveWeb } from './web';

/** Time for HTTP requests under way when the program stops, ms. */
const HTTP_GRACE = 2_000;

export interface KurirOptions {
  clock?: AdvancingClock;
  logger: Logger;
  /** For tests and the crash proof: puts wrappers around what the program is wired of. The program itself has none. */
  wrap?: Wrappers;
  /** The compiled program of the store's thread; without it the store lives in this one. */
  storeThread?: string;
}

/** A running service: every role in one process, on the embedded engine. */
export interface Kurir {
  services: Services;
  sandbox: Sandbox | null;
  /** Null with a real sending server. */
  travel: TimeTravel | null;
  baseUrl: string;
  /** Set when this start made the demo workspace, with the file that tells of it. */
  firstRun: { run: FirstRun; file: string } | null;
  /** Drains within ten seconds and releases everything. */
  stop(): Promise<void>;
}

/** Starts the service. Throws ConfigError, StartError and the errors of the stores; then nothing is left running. */
export async function startKurir(config: Config, options: KurirOptions): Promise<Kurir> {
  if (config.engine === 'cluster') {
    throw new StartError('KURIR_ENGINE=cluster is not part of this version: use KURIR_ENGINE=embedded.');
  }
  const clock = options.clock ?? new AdvancingClock();
  const dir = openDataDir(config.dataDir);
  try {
    const secret = config.secret ?? readOrMakeSecret(dir);
    const opened = await openStore(dir.file(DATABASE), clock, options);
    const engine = options.wrap?.engine?.(opened) ?? opened;
    try {
      await clockForStart(clock, engine.stores.settings, config.mtaUrl);
      const keyring = await checkedKeyring(secret, engine.stores);
      return await startOn({ engine, keyring, clock, config, logger: options.logger, wrap: options.wrap ?? {} }, dir);
    } catch (error) {
      await engine.close();
      throw error;
    }
  } catch (error) {
    dir.release();
    throw error;
  }
}

function openStore(file: string, clock: AdvancingClock, { storeThread, logger }: KurirOptions): Promise<Engine> {
  if (storeThread === undefined) return openEmbedded({ file, clock });
  const onGone = (err: Error): void => {
    // Nothing is left to drain into: the next start finds everything that was acknowledged.
    logger.fatal({ err }, 'kurir ends because its store is gone');
    process.exit(1);
  };
  return openThreaded({ file, clock, program: storeThread, onGone });
}

async function startOn(
  basis: Pick<Services, 'engine' | 'keyring' | 'config' | 'logger' | 'wrap'> & { clock: AdvancingClock },
  dir: DataDir,
): Promise<Kurir> {
  const { engine, config, clock, logger } = basis;
  const ports = { http: config.httpPort, sandbox: config.sandboxPort, bounce: config.bouncePort };
  const publicUrl = (): string => publicUrlOf(config, ports.http);
  const activity = new Activity();
  const services: Services = { ...basis, activity, publicUrl, ...makeIds(clock) };

  const sandbox = config.mtaUrl === null ? openSandbox(services, dir, ports) : null;
  const parts: Part[] = [
    ...(sandbox ? [sandboxPart(sandbox, ports)] : []),
    reportsPart(services, ports),
    httpPart(services, sandbox, ports),
    recoveryPart(services),
    ...consumerParts(services, () => config.mtaUrl ?? `smtp://${LOOPBACK}:${ports.sandbox}`),
  ];
  const { settings } = engine.stores;
  const travel = sandbox && new TimeTravel({ clock, activity, settings, parts: [...parts] });
  parts.push(controlPart({ dir, travel, logger }));
  const running = await startAll(parts);
  try {
    const firstRun = await firstStart(services, dir, publicUrl());
    const baseUrl = `${publicUrl()}/v1`;
    const open = { http: ports.http, bounce: ports.bounce, ...(sandbox && { sandbox: ports.sandbox }) };
    const about = { pid: process.pid, version: VERSION, startedAt: clock.now(), baseUrl, ports: open };
    const said = announceRunning(dir.path, about);
    const stop = async (): Promise<void> => {
      said.withdraw();
      await stopAll(running, engine, dir);
    };
    return { services, sandbox, travel, baseUrl, firstRun, stop };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function httpPart(services: Services, sandbox: Sandbox | null, ports: { http: number }): Part {
  const http = new HttpServer(services.config);
  return {
    name: 'http',
    start: async () => {
      ports.http = await http.listen();
      http.serve(serveWeb(services, sandbox));
    },
    stop: () => http.close(HTTP_GRACE),
  };
}

async function stopAll(running: { stop(): Promise<void> }, engine: Engine, dir: DataDir): Promise<void> {
  try {
    await running.stop();
  } finally {
    await engine.close();
    dir.release();
  }
}

/** Makes the demo workspace on an empty data dir; the file is whole before the setting says that it was done. */
async function firstStart(services: Services, dir: DataDir, publicUrl: string): Promise<Kurir['firstRun']> {
  const { engine, keyring, clock, config } = services;
  if (!(await isFirstRun(engine.stores))) return null;
  const accounts = new Accounts({ stores: engine.stores, keyring, clock });
  // Alone on the data dir, so what an earlier life held is free at once.
  const run = await makeDemo(
    engine.stores,
    { accounts, clock, owner: 'first start' },
    demoAddresses(config, publicUrl),
  );
  const file = dir.file('first-run.json');
  writeDurably(file, `${JSON.stringify(run, null, 2)}\n`);
  await engine.stores.settings.set('first_run', true);
  return { run, file };
}
