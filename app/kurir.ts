import type { Engine } from '../stores/ports/engine';
import type { Logger } from 'pino';
import { openEmbedded } from '../stores/embedded/open';
import { openThreaded } from '../stores/embedded/threaded/open-threaded';
import { createSandbox, type Sandbox } from '../sandbox/sandbox';
import { Accounts } from './accounts';
import { AdvancingClock } from './clock';
import type { Config } from './config';
import { DATABASE, openDataDir, readOrMakeSecret, SANDBOX, writeDurably, type DataDir } from './data-dir';
import { consumerParts } from './consumers';
import { isFirstRun, makeDemo, type FirstRun } from './first-run';
import { HttpServer } from './http-server';
import { startAll, type Part } from './life-cycle';
import { recoveryPart } from './recovery';
import { reportsPart } from './reports';
import { checkedKeyring, makeIds, type Services, type Wrappers } from './services';
import { listenError, StartError } from './start-error';
import { serveWeb } from './web';

/** Time for HTTP requests under way when the program stops, ms. */
const HTTP_GRACE = 2_000;
const LOOPBACK = '127.0.0.1';

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
    const opened = await openStore(dir.file(DATABASE), clock, options.storeThread);
    const engine = options.wrap?.engine?.(opened) ?? opened;
    try {
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

const openStore = (file: string, clock: AdvancingClock, program: string | undefined): Promise<Engine> =>
  program === undefined ? openEmbedded({ file, clock }) : openThreaded({ file, clock, program });

async function startOn(
  basis: Pick<Services, 'engine' | 'keyring' | 'config' | 'logger' | 'wrap'> & { clock: AdvancingClock },
  dir: DataDir,
): Promise<Kurir> {
  const { engine, config } = basis;
  const http = new HttpServer(config);
  const ports = { http: config.httpPort, sandbox: config.sandboxPort, bounce: config.bouncePort };
  const origin = (): string => `${config.tls ? 'https' : 'http'}://${hostInUrl(config.httpHost)}:${ports.http}`;
  const publicUrl = (): string => config.publicUrl ?? origin();
  const services: Services = { ...basis, publicUrl, ...makeIds(basis.clock) };

  const sandbox = config.mtaUrl === null ? openSandbox(services, dir, ports) : null;
  const parts: Part[] = [
    ...(sandbox ? [sandboxPart(sandbox, ports)] : []),
    reportsPart(services, ports),
    {
      name: 'http',
      start: async () => {
        ports.http = await http.listen();
        http.serve(serveWeb(services, sandbox));
      },
      stop: () => http.close(HTTP_GRACE),
    },
    recoveryPart(services),
    ...consumerParts(services, () => config.mtaUrl ?? `smtp://${LOOPBACK}:${ports.sandbox}`),
  ];
  const running = await startAll(parts);
  try {
    const firstRun = await firstStart(services, dir, publicUrl());
    return { services, sandbox, baseUrl: `${publicUrl()}/v1`, firstRun, stop: () => stopAll(running, engine, dir) };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function stopAll(running: { stop(): Promise<void> }, engine: Engine, dir: DataDir): Promise<void> {
  try {
    await running.stop();
  } finally {
    await engine.close();
    dir.release();
  }
}

function openSandbox({ clock, logger }: Services, dir: DataDir, ports: { sandbox: number; bounce: number }): Sandbox {
  return createSandbox({
    file: dir.file(SANDBOX),
    clock,
    host: LOOPBACK,
    port: ports.sandbox,
    reports: () => ({ host: LOOPBACK, port: ports.bounce }),
    hostname: 'sandbox.kurir.test',
    logger,
  });
}

function sandboxPart(sandbox: Sandbox, ports: { sandbox: number }): Part {
  return {
    name: 'sandbox',
    start: async () => {
      try {
        ports.sandbox = (await sandbox.listen()).port;
      } catch (error) {
        throw listenError('sandbox sending server', ports.sandbox, 'KURIR_SANDBOX_PORT', error);
      }
    },
    stop: () => sandbox.close(),
  };
}

/** Makes the demo workspace on an empty data dir; the file is whole before the setting says that it was done. */
async function firstStart(services: Services, dir: DataDir, publicUrl: string): Promise<Kurir['firstRun']> {
  const { engine, keyring, clock, config } = services;
  if (!(await isFirstRun(engine.stores))) return null;
  const accounts = new Accounts({ stores: engine.stores, keyring, clock });
  const run = await makeDemo(engine.stores, accounts, {
    baseUrl: `${publicUrl}/v1`,
    inboxUrl: config.mtaUrl === null ? `${publicUrl}/sandbox/inbox` : null,
    smtp: { host: LOOPBACK, port: config.smtpPort, tlsPort: config.smtpsPort },
  });
  const file = dir.file('first-run.json');
  writeDurably(file, `${JSON.stringify(run, null, 2)}\n`);
  await engine.stores.settings.set('first_run', true);
  return { run, file };
}

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0') return LOOPBACK;
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};
