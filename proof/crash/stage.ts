import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports';
import { embeddedInstallation, type Installation } from './installation';
import { Role, type End } from './role';
import { SECRET } from './seed';
import type { ServiceHandlers, ServiceOptions } from './service';
import { sinkInProcess, startSink, type SinkHandle } from './sink-role';
import type { SinkOptions } from './sink/sink';

export interface StageOptions {
  /** The built program, dist/crash.js. */
  program: string;
  /** Default: one on the embedded engine, in the folder of the stage. It is deleted in the end. */
  installation?: Installation;
  /** Runs the sink in this process, for a test with many stages; else in its own process. */
  sinkInProcess?: boolean;
  /** Delay of the sink's answer for `slow` recipients, ms. */
  slowWait?: number;
}

/** A test setup: a data dir, a sink, and the service, which may be killed and restarted and whose clock can advance. */
export class Stage {
  kills = 0;
  private ahead = 0;
  private current: Role<ServiceHandlers> | null = null;

  private constructor(
    private readonly program: string,
    readonly folder: string,
    readonly installation: Installation,
    private readonly ports: { http: number; bounce: number; smtps: number },
    private readonly log: number,
    readonly sink: SinkHandle,
  ) {}

  static async open(options: StageOptions): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'kurir-crash-'));
    mkdirSync(join(folder, 'data'), { recursive: true });
    const log = openSync(join(folder, 'service.log'), 'a');
    const [http = 0, bounce = 0, smtps = 0] = await freePorts(3);
    const sinkOptions: SinkOptions = {
      journal: join(folder, 'journal.jsonl'),
      bouncePorts: [bounce],
      reportWait: 150,
      slowWait: options.slowWait ?? 5_000,
    };
    const { program, installation = embeddedInstallation(join(folder, 'data')) } = options;
    const sink = options.sinkInProcess ? await sinkInProcess(sinkOptions) : await startSink(program, sinkOptions, log);
    return new Stage(program, folder, installation, { http, bounce, smtps }, log, sink);
  }

  get journal(): string {
    return join(this.folder, 'journal.jsonl');
  }

  /** Where its data is on the embedded engine. */
  get dataDir(): string {
    return join(this.folder, 'data');
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.ports.http}/v1`;
  }

  /** The port of the listener for delivery reports. */
  get bouncePort(): number {
    return this.ports.bounce;
  }

  /** The port of the relay with TLS from the start. */
  get smtpsPort(): number {
    return this.ports.smtps;
  }

  /** The current service process. Throws when none was started. */
  get service(): Role<ServiceHandlers> {
    if (!this.current) throw new Error('The service was not started.');
    return this.current;
  }

  /** Starts the service on the existing data; false when it died during startup. */
  async start(point: string | null = null, env: Record<string, string> = {}): Promise<boolean> {
    const options: ServiceOptions = { ahead: this.ahead, point };
    this.current = new Role<ServiceHandlers>({
      program: this.program,
      role: 'service',
      options,
      log: this.log,
      env: { ...this.environment(), ...env },
    });
    return this.current.ready;
  }

  async kill(): Promise<void> {
    this.kills += 1;
    await this.service.kill();
  }

  /** The time of the service, ms. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /** Advances the clock of the service, now and after later restarts. */
  async advance(ms: number): Promise<void> {
    this.ahead += ms;
    // When the process dies meanwhile, the next one starts at the new time.
    await this.service.call('advance', ms).catch(() => undefined);
  }

  /** True when nothing is pending: every log record is handled, every report of the sink was taken. */
  async isIdle(): Promise<boolean> {
    try {
      return (await this.service.call('lag', undefined)) === 0 && (await this.sink.pendingReports()) === 0;
    } catch {
      return false;
    }
  }

  /** Stops the service gracefully; returns how it ended. */
  async stop(): Promise<End> {
    return this.service.terminate();
  }

  /** Ends all processes and deletes the data. */
  async close(): Promise<void> {
    await this.current?.kill();
    await this.sink.close();
    closeSync(this.log);
    await this.installation.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private environment(): Record<string, string> {
    return {
      ...this.installation.env,
      KURIR_SECRET: SECRET,
      KURIR_HTTP_PORT: String(this.ports.http),
      KURIR_BOUNCE_PORT: String(this.ports.bounce),
      KURIR_SMTP_PORT: '0',
      KURIR_METRICS_PORT: '0',
      KURIR_SMTPS_PORT: String(this.ports.smtps),
      KURIR_MTA_URL: `smtp://127.0.0.1:${this.sink.port}`,
      KURIR_API_RATE_PER_MINUTE: '100000000',
      KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      KURIR_LOG_LEVEL: 'warn',
    };
  }
}
