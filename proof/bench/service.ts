import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { sleep } from '../../lib/sleep';
import { monotonic } from './time';

/** Node arguments of `npm start` and of the image. */
export const NODE_ARGUMENTS = ['--max-semi-space-size=32'];
const START_LIMIT = 60_000;
const STOP_LIMIT = 15_000;

/** Killed when this process ends, however it ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill()));

/** The real service, or some of its roles, in its own process. */
export interface Service {
  port: number;
  /** The SMTP relay with TLS from the start. */
  smtpsPort: number;
  pid: number;
  /** Stops it gracefully, or by force after 15 s. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  /** The folder of the built programs; that of this one by default. */
  dist?: string;
  /** Folder of its log; a name tells the processes of one folder apart. */
  folder: string;
  name?: string;
  /** Settings of its data and its secret. */
  env: Readonly<Record<string, string>>;
  /** Port of the sending server, on 127.0.0.1. */
  mtaPort: number;
  connections: number;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts kurird.js and waits until it is ready; throws with its output when it is not. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const [port, smtpsPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const logFile = join(options.folder, `${options.name ?? 'service'}.log`);
  const log = openSync(logFile, 'a');
  const { dist = __dirname } = options;
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, join(dist, 'kurird.js')], {
    // Not where a developer's .env is.
    cwd: dist,
    stdio: ['ignore', log, log],
    env: {
      ...options.env,
      KURIR_HTTP_PORT: String(port),
      KURIR_SMTP_PORT: '0',
      // On, as by default: what they cost is part of what is measured.
      KURIR_METRICS_PORT: String(metricsPort),
      KURIR_SMTPS_PORT: String(smtpsPort),
      KURIR_SMTP_CONNECTIONS_PER_ADDRESS: '1000',
      KURIR_BOUNCE_PORT: '0',
      KURIR_SANDBOX_PORT: '0',
      KURIR_MTA_URL: `smtp://127.0.0.1:${options.mtaPort}`,
      KURIR_MTA_CONNECTIONS: String(options.connections),
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_LOG_LEVEL: 'warn',
    },
  });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  try {
    await untilUp(child, port);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}\n${readFileSync(logFile, 'utf8')}`, { cause: error });
  }
  return { port, smtpsPort, pid: child.pid ?? 0, stop: () => stop(child), kill: () => kill(child) };
}

async function untilUp(child: ChildProcess, port: number): Promise<void> {
  const deadline = monotonic() + START_LIMIT;
  while (monotonic() < deadline) {
    if (child.exitCode !== null) throw new Error(`The service ended with exit code ${child.exitCode}.`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.status === 200) return;
    await sleep(50);
  }
  throw new Error('The service did not come up.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
  await exited;
  clearTimeout(force);
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
