import type { ReportKind } from './behaviour';
import type { Envelope } from './dialogue';
import type { Journal } from './journal';
import { composeReport } from './report';
import { Submitter } from './submitter';

const RETRY_AFTER = 250;
const PARALLEL = 24;
/** One report in this many is sent twice, as by a server that lost our answer. */
const REPEAT_EVERY = 5;

interface PendingReport {
  kind: ReportKind;
  envelope: Envelope;
}

/** Sends reports until the listener takes them; repeats those it refuses temporarily. */
export class Reporter {
  private readonly queue: PendingReport[] = [];
  /** Open connections without work, by port. */
  private readonly idle = new Map<number, Submitter[]>();
  private waiting = 0;
  private workers = 0;
  private count = 0;
  private stopped = false;
  private portIndex = 0;

  constructor(
    private readonly ports: readonly number[],
    private readonly journal: Journal,
  ) {}

  /** Number of reports that the listener has not taken yet. */
  get pending(): number {
    return this.queue.length + this.waiting + this.workers;
  }

  schedule(kind: ReportKind, envelope: Envelope, wait: number): void {
    this.enqueueAfter({ kind, envelope }, wait);
    if (++this.count % REPEAT_EVERY === 0) this.enqueueAfter({ kind, envelope }, wait + RETRY_AFTER);
  }

  /** Stops sending. */
  stop(): void {
    this.stopped = true;
    this.queue.length = 0;
    for (const submitters of this.idle.values()) for (const submitter of submitters) submitter.close();
    this.idle.clear();
  }

  private enqueueAfter(report: PendingReport, wait: number): void {
    this.waiting++;
    setTimeout(() => {
      this.waiting--;
      if (this.stopped) return;
      this.queue.push(report);
      if (this.workers < PARALLEL) void this.work();
    }, wait);
  }

  private async work(): Promise<void> {
    this.workers++;
    for (let report = this.queue.shift(); report; report = this.queue.shift()) {
      const { kind, envelope } = report;
      const port = this.ports[this.portIndex % this.ports.length] ?? 0;
      const submitter = this.idle.get(port)?.pop() ?? new Submitter(port);
      const reply = await submitter.submit(envelope.from, composeReport(kind, envelope));
      if (this.stopped) {
        submitter.close();
        break;
      }
      this.idle.set(port, [...(this.idle.get(port) ?? []), submitter]);
      if (/^[25]/.test(reply)) this.journal.write({ what: 'report', messageId: envelope.envid, kind, reply });
      else {
        this.portIndex += 1;
        this.enqueueAfter(report, RETRY_AFTER);
      }
    }
    this.workers--;
  }
}
