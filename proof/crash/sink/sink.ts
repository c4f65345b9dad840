import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { sleep } from '../../../lib/sleep';
import { SINK_BEHAVIOURS, kindOf } from './behaviour';
import { Dialogue, type MailHandler, type Envelope } from './dialogue';
import { Journal } from './journal';
import { Reporter } from './reporter';

export interface SinkOptions {
  /** File to which every mail is logged before it is answered. */
  journal: string;
  /** Ports for reports on 127.0.0.1. When one does not answer, the next is used, as with several MX. */
  bouncePorts: readonly number[];
  /** Delay before a report is sent, ms. */
  reportWait: number;
  /** Delay of the answer for `slow` recipients, ms. */
  slowWait: number;
}

/**
 * An independent sending server that shares no code with Kurir. It takes mail over SMTP and logs each mail at the final
 * dot, so that a mail whose answer is lost counts too. It reports the outcome as a real server would.
 */
export class Sink {
  private readonly server: Server;
  private readonly journal: Journal;
  private readonly reporter: Reporter;
  private readonly tries = new Map<string, number>();
  private last = '';

  constructor(private readonly options: SinkOptions) {
    this.journal = new Journal(options.journal);
    this.reporter = new Reporter(options.bouncePorts, this.journal);
    const handler: MailHandler = {
      recipient: (envelope) => this.judge(envelope),
      mail: (envelope, source) => this.keep(envelope, source),
    };
    this.server = createServer((socket) => void new Dialogue(socket, handler));
  }

  /** Listens on 127.0.0.1 and returns the port. */
  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    this.reporter.stop();
    this.journal.close();
  }

  /** Number of reports that the listener has not taken yet. */
  get pendingReports(): number {
    return this.reporter.pending;
  }

  /** Source of the last mail. */
  get lastMail(): string {
    return this.last;
  }

  private judge({ to, envid }: Envelope): string | null {
    const n = (this.tries.get(envid) ?? 0) + 1;
    this.tries.set(envid, n);
    return SINK_BEHAVIOURS[kindOf(to)].recipient?.(n) ?? null;
  }

  private async keep(envelope: Envelope, source: Buffer): Promise<string | null> {
    const { to, envid } = envelope;
    const kind = kindOf(to);
    const { answer, reports } = SINK_BEHAVIOURS[kind];
    this.last = source.toString('latin1');
    const head = this.last.slice(0, this.last.indexOf('\r\n\r\n'));
    const messageId = /^x-message-id:\s*(\S+)/im.exec(head)?.[1] ?? '';
    this.journal.write({
      what: 'mail',
      at: Date.now(),
      messageId,
      envid,
      to,
      kind,
      fault: faultOf(head, this.last, messageId, envelope),
    });
    for (const report of reports) this.reporter.schedule(report, envelope, this.options.reportWait);
    if (answer === 'slow') await sleep(this.options.slowWait);
    return answer === 'drop' ? null : '250 2.0.0 taken';
  }
}

/** The reason why the mail should not have been sent like this, or null. */
function faultOf(head: string, source: string, messageId: string, { envid, notify }: Envelope): string | null {
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(head)?.[1];
  if (messageId === '' || messageId !== envid) return 'X-Message-id is not ENVID';
  if (!/^dkim-signature:/im.test(head)) return 'not signed';
  if (boundary && !source.trimEnd().endsWith(`--${boundary}--`)) return 'incomplete';
  return notify.toUpperCase() === 'SUCCESS,FAILURE,DELAY' ? null : 'no report requested';
}
