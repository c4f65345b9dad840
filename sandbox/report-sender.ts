import type { Activity } from '../lib/activity';
import { type Clock, MINUTE, SECOND } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { WorkerLoop, type Rest } from '../lib/worker-loop';
import { composeReport } from './compose-report';
import type { DueReport, PendingReports } from './pending-reports';
import { type Reply, SmtpSender } from './smtp-sender';

export interface ReportSenderDeps {
  reports: PendingReports;
  clock: Clock;
  activity: Activity;
  /** Where the reports go; called before every connection. */
  target: () => { host: string; port: number };
  hostname: string;
  logger: Pick<Logger, 'warn'>;
}

const TASK = 'sandbox reports';
/** Waits before the next try, ms; the last one repeats. */
const WAITS = [SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE];
const PARALLEL = 16;
const FETCH = 64;

/**
 * Sends pending reports, several at a time, each until the listener has accepted it. One that is refused for now waits
 * on the clock and holds up no other. A crash may send a report twice but never lose one.
 */
export class ReportSender {
  private readonly loop: WorkerLoop;
  private queue: DueReport[] = [];
  /** Reports in the queue or being sent. */
  private readonly taken = new Set<number>();
  private readonly idleConnections: SmtpSender[] = [];
  private workers = 0;
  /** The time of the last look: at the first one, and when the clock was set back, what it left is brought back. */
  private seen = Infinity;
  private readonly onIdle: (() => void)[] = [];

  constructor(private readonly deps: ReportSenderDeps) {
    this.loop = new WorkerLoop({
      iterate: () => this.iterate(),
      onError: (err) => deps.logger.warn({ err }, 'The reports of the sandbox could not be read; trying again.'),
      task: { activity: deps.activity, name: TASK },
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Call when there may be something new to send. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves when nothing is being sent and nothing is due. */
  async idle(): Promise<void> {
    while (!this.stopped && this.busy()) {
      this.wake();
      await new Promise<void>((resolve) => this.onIdle.push(resolve));
    }
  }

  /** Stops sending; a report being sent stays pending unless the listener has answered. */
  async stop(): Promise<void> {
    for (const connection of this.idleConnections.splice(0)) connection.close();
    const ended = this.loop.stop();
    this.queue = [];
    await ended;
    while (this.workers > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
    this.notifyIdle();
  }

  private busy(): boolean {
    return this.taken.size > 0 || this.deps.reports.due(this.deps.clock.now(), 1).length > 0;
  }

  private get stopped(): boolean {
    return this.loop.signal.aborted;
  }

  private async iterate(): Promise<Rest> {
    const { reports, clock } = this.deps;
    const now = clock.now();
    if (now < this.seen) await reports.setBack(now, WAITS.at(-1) ?? MINUTE);
    this.seen = now;
    if (this.queue.length === 0) this.fetch(now);
    while (this.workers < PARALLEL && this.queue.length > 0) void this.work();
    const next = reports.nextAfter(now) ?? Number.MAX_SAFE_INTEGER;
    return (signal) => clock.until(next, signal);
  }

  private fetch(now: number): void {
    this.queue = this.deps.reports.due(now, this.taken.size + FETCH).filter(({ id }) => !this.taken.has(id));
    for (const { id } of this.queue) this.taken.add(id);
  }

  private async work(): Promise<void> {
    this.workers++;
    this.deps.activity.begin(TASK);
    for (let report = this.queue.shift(); report; report = this.queue.shift()) {
      await this.settle(report, await this.deliver(report));
      this.taken.delete(report.id);
      if (this.queue.length === 0) this.wake();
    }
    this.workers--;
    this.deps.activity.end(TASK);
    this.notifyIdle();
  }

  /** The listener's reply, or the error instead. */
  private async deliver(report: DueReport): Promise<Reply | Error> {
    try {
      const mail = composeReport(report, this.deps.hostname, this.deps.clock.now());
      const to = report.mail.mailFrom;
      const used = this.takeIdle();
      // A reused connection may have died in the meantime; a new one shows whether the listener is there.
      if (used) return await this.sendOver(used, to, mail).catch(() => this.sendOverNew(to, mail));
      return await this.sendOverNew(to, mail);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private async sendOverNew(to: string, mail: string): Promise<Reply> {
    if (this.stopped) throw new Error('The sandbox is closing.');
    const { target, hostname } = this.deps;
    return this.sendOver(await SmtpSender.open(target(), hostname, this.loop.signal), to, mail);
  }

  private async sendOver(connection: SmtpSender, to: string, mail: string): Promise<Reply> {
    const reply = await connection.send(to, mail);
    if (connection.usable && !this.stopped) this.idleConnections.push(connection);
    return reply;
  }

  private takeIdle(): SmtpSender | undefined {
    let connection = this.idleConnections.pop();
    while (connection && !connection.usable) connection = this.idleConnections.pop();
    return connection;
  }

  private async settle(report: DueReport, outcome: Reply | Error): Promise<void> {
    const { reports, clock, logger } = this.deps;
    const now = clock.now();
    const text = outcome instanceof Error ? outcome.message : `${outcome.code} ${outcome.text}`;
    const code = outcome instanceof Error ? 0 : outcome.code;
    try {
      if (code >= 200 && code < 300) await reports.finish(report.id, 'sent', text, now);
      else if (code >= 500) {
        logger.warn({ report: report.id, reply: text }, 'A report of the sandbox was permanently refused.');
        await reports.finish(report.id, 'refused', text, now);
      } else {
        const wait = WAITS[report.tries] ?? WAITS.at(-1) ?? MINUTE;
        await reports.postpone(report.id, now + wait, text);
      }
    } catch (error) {
      if (this.stopped) return;
      logger.warn(
        { err: error, report: report.id },
        'A report of the sandbox could not be marked as done; it is sent again.',
      );
      await clock.until(now + SECOND, this.loop.signal);
    }
  }

  private notifyIdle(): void {
    for (const resolve of this.onIdle.splice(0)) resolve();
  }
}
