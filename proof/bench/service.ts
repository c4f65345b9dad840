import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../crash/free-ports';
import { Child } from '../crash/stage/child';
import { until } from '../crash/stage/until';

/** Node arguments of `npm start` and of the image. */
export const NODE_ARGUMENTS = ['--max-semi-space-size=32'];
const START_LIMIT = 60_000;
const STOP_LIMIT = 15_000;

/** Killed when this process ends, however it ends. */
const running = new Set<Child>();
process.once('exit', () => running.forEach((child) => void child.terminate()));

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

/** The real service, or some of its roles, in its own process. */
export class Service extends Child {
  /** The ports of its API, and of its SMTP relay with TLS from the start. */
  readonly port: number;
  readonly smtpsPort: number;

  constructor([port, smtpsPort, metricsPort]: readonly number[], log: number, options: ServiceOptions) {
    const { dist = __dirname, env, mtaPort, connections } = options;
    super(join(dist, 'kurird.js'), [], {
      execArgv: NODE_ARGUMENTS,
      output: log,
      env: {
        ...env,
        KURIR_HTTP_PORT: String(port),
        KURIR_SMTP_PORT: '0',
        // On, as by default: what they cost is part of what is measured.
        KURIR_METRICS_PORT: String(metricsPort),
        KURIR_SMTPS_PORT: String(smtpsPort),
        KURIR_SMTP_CONNECTIONS_PER_ADDRESS: '1000',
        KURIR_BOUNCE_PORT: '0',
        KURIR_SANDBOX_PORT: '0',
        KURIR_MTA_URL: `smtp://127.0.0.1:${mtaPort}`,
        KURIR_MTA_CONNECTIONS: String(connections),
        KURIR_API_RATE_PER_MINUTE: '100000000',
        KURIR_LOG_LEVEL: 'warn',
      },
    });
    [this.port, this.smtpsPort] = [port!, smtpsPort!];
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  /** Stops it gracefully, or by force after 15 s. */
  async stop(): Promise<void> {
    await this.terminate(STOP_LIMIT);
  }
}

/** Starts kurird.js and waits until it is ready; throws with its output when it is not. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const logFile = join(options.folder, `${options.name ?? 'service'}.log`);
  const log = openSync(logFile, 'a');
  const service = new Service(await freePorts(3), log, options);
  closeSync(log);
  const answers = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${service.port}/readyz`).catch(() => null))?.status === 200;
  await until(async () => !service.isAlive || (await answers()), { every: 50, patience: START_LIMIT });
  if (await answers()) return service;
  const { code, signal } = await service.kill();
  throw new Error(`The service did not come up (${signal ?? code}).\n${readFileSync(logFile, 'utf8')}`);
}
