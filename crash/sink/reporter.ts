import type { ReportKind } from './behaviour';
import type { Envelope } from './dialogue';
import type { Journal } from './journal';
import { composeReport } from './report';
import { submit } from './submit';

const AGAIN = 250;
const PARALLEL = 8;
/** Every so many reports one is sent a second time, as a server does that lost our answer. */
const REPEAT_EVERY = 5;

interface PendingReport {
  kind: ReportKind;
  envelope: Envelope;
}

/** Sends reports until the listener has taken them; those it cannot take now come again. */
export class Reporter {
  private readonly queue: PendingReport[] = [];
  private waiting = 0;
  private workers = 0;
  private count = 0;
  private stopped = false;
  private portIndex = 0;

  constructor(
    private readonly ports: readonly number[],
    private readonly journal: Journal,
  ) {}

  /** Reports that were not taken yet. */
  get pending(): number {
    return this.queue.length + this.waiting + this.workers;
  }

  schedule(kind: ReportKind, envelope: Envelope, wait: number): void {
    this.enqueueAfter({ kind, envelope }, wait);
    if (++this.count % REPEAT_EVERY === 0) this.enqueueAfter({ kind, envelope }, wait + AGAIN);
  }

  /** Sends nothing more. */
  stop(): void {
    this.stopped = true;
    this.queue.length = 0;
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
      const reply = await submit(port, envelope.from, composeReport(kind, envelope));
      if (this.stopped) break;
      if (/^[25]/.test(reply)) this.journal.write({ what: 'report', messageId: envelope.envid, kind, reply });
      else {
        this.portIndex += 1;
        this.enqueueAfter(report, AGAIN);
      }
    }
    this.workers--;
  }
}
