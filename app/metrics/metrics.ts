import { Gauge, Registry } from 'prom-client';
import type { Engine } from '../../stores/ports/engine';
import type { GroupName } from '../../streams/topics';
import type { Config } from '../../operations/config/config';
import { VERSION } from '../../lib/version';
import { BacklogMetrics, type BacklogDeps } from './backlog-metrics';
import { measuredEngine } from './measured-engine';
import { MessageMetrics } from './message-metrics';
import { processMetrics } from './process-metrics';
import { TrafficMetrics } from './traffic-metrics';

/** The metrics of one process (docs/operations.md#metrics). */
export class Metrics {
  readonly traffic: TrafficMetrics;
  private readonly register = new Registry();
  private readonly messages: MessageMetrics;
  private readonly process: { stop(): void };
  private readonly groups = new Set<GroupName>();
  private backlog: BacklogMetrics | null = null;

  constructor({ engine, roles }: Pick<Config, 'engine' | 'roles'>) {
    const registers = [this.register];
    new Gauge({
      name: 'kurir_build_info',
      registers,
      labelNames: ['version', 'engine'] as const,
      help: 'The version of the program and its engine; always 1.',
    }).set({ version: VERSION, engine }, 1);
    const role = new Gauge({
      name: 'kurir_role',
      registers,
      labelNames: ['role'] as const,
      help: 'The roles of this process; always 1.',
    });
    for (const name of roles) role.set({ role: name }, 1);
    this.messages = new MessageMetrics(this.register);
    this.traffic = new TrafficMetrics(this.register);
    this.process = processMetrics(this.register);
  }

  /** The content type of `text`. */
  get contentType(): string {
    return this.register.contentType;
  }

  /** The same engine, with what it does counted. */
  engine(engine: Engine): Engine {
    return measuredEngine(engine, this.messages);
  }

  /** Call once the engine is open: from then on, what waits in it is read too. */
  read(deps: Omit<BacklogDeps, 'groups'>): void {
    this.backlog = new BacklogMetrics(this.register, { ...deps, groups: () => [...this.groups] });
  }

  /** This process reads the group. */
  reads(group: GroupName): void {
    this.groups.add(group);
  }

  /** Adds a value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.register],
      collect() {
        this.set(read());
      },
    });
  }

  /** Everything in the text format of Prometheus. Reads stores and log at most every five seconds. */
  async text(): Promise<string> {
    await this.backlog?.refresh();
    return this.register.metrics();
  }

  stop(): void {
    this.process.stop();
  }
}
