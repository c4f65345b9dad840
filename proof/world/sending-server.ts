import net from 'node:net';
import { Dialogue, type Envelope } from '../crash/sink/dialogue';
import { SINK_BEHAVIOURS, kindOf, type ReportKind as Reported } from '../crash/sink/behaviour';
import { composeReport } from '../crash/sink/report';
import { Submitter } from '../crash/sink/submitter';
import type { ReportKind } from '../judge/history';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { Profile } from './profile';
import { shownOf } from './shown';
import type { Ports } from './program';
import type { Recorder } from './recorder';
import type { Random } from './random';

/** A mail that the server took, as recipients see it. */
export interface Mail {
  message: string;
  to: string;
  source: string;
}

const KIND: Readonly<Record<Reported, ReportKind>> = {
  delivered: 'delivered',
  failed: 'unknown',
  disabled: 'disabled',
  full: 'full',
  blocked: 'blocked',
  spam: 'spam',
  expired: 'expired',
  delayed: 'delayed',
  complaint: 'complaint',
};
/** How late a report comes at most, ms. */
const REPORTED_AFTER = [50, 5 * SECOND, MINUTE, 5 * HOUR];
/** When one comes that nobody waits for any more: evidence is awaited for four days, ms. */
const OVERDUE_AFTER = [4 * DAY + HOUR, 5 * DAY] as const;
/** Tries of one report; the program may be down for a minute at a time. */
const TRIES = 200;

/** The sending server of the world. It never dies, and writes down each mail at its final dot. */
export class SendingServer {
  readonly mails: Mail[] = [];
  /** Reports that are not answered yet. */
  pending = 0;
  private server: net.Server | null = null;
  private isClosed = false;
  private readonly tries = new Map<string, number>();

  constructor(
    private readonly recorder: Recorder,
    private readonly random: Random,
    private readonly profile: Pick<Profile, 'doubled' | 'overdue'> & { slowest?: number; odd?: number },
    private readonly ports: Ports,
    /** Waits by the program's time, ms. */
    private readonly wait: (ms: number) => Promise<void>,
    /** Called when the report listener did not answer. */
    private readonly onSilence: () => void = () => undefined,
  ) {}

  get port(): number {
    return this.ports.mta;
  }

  listen(): void {
    const handler = {
      recipient: (envelope: Envelope) => this.judge(envelope),
      mail: (envelope: Envelope, source: Buffer) => this.take(envelope, source.toString('latin1')),
    };
    this.server = net.createServer((socket) => void new Dialogue(socket, handler)).listen(this.ports.mta);
  }

  /** Takes no more connections, and reports no more. */
  close(): void {
    this.isClosed = true;
    this.server?.close();
  }

  private judge({ to, envid }: Envelope): string | null {
    const n = (this.tries.get(envid) ?? 0) + 1;
    this.tries.set(envid, n);
    const reply = SINK_BEHAVIOURS[kindOf(to)].recipient?.(n) ?? null;
    if (reply !== null) {
      const act = { message: envid, to, permanent: reply.startsWith('5') };
      this.recorder.begin('mta', 'refuse', act).ok({ reply });
    }
    return reply;
  }

  private async take(envelope: Envelope, source: string): Promise<string | null> {
    const { to, envid } = envelope;
    const { answer, reports } = SINK_BEHAVIOURS[kindOf(to)];
    const act = this.recorder.begin('mta', 'take', {
      message: envid,
      to,
      fault: faultOf(source, envid),
      shown: shownOf(source),
    });
    const { odd = 0.01 } = this.profile;
    if (this.random.chance(odd)) {
      act.fail(452, 'not now after all');
      return '452 4.3.1 not now after all';
    }
    this.mails.push({ message: envid, to, source });
    for (const kind of reports) this.schedule(kind, envelope);
    if (answer === 'slow') await sleep(this.random.between(100, this.profile.slowest ?? 5_000));
    if (answer === 'drop' || this.random.chance(odd)) {
      act.info('no answer');
      return null;
    }
    act.ok({ reply: '250' });
    return '250 2.0.0 taken';
  }

  private schedule(kind: Reported, envelope: Envelope): void {
    const times = this.random.chance(this.profile.doubled) ? 2 : 1;
    for (let n = 0; n < times; n++) void this.report(kind, envelope);
  }

  /** Sends it until it is answered for good. */
  private async report(kind: Reported, envelope: Envelope): Promise<void> {
    this.pending += 1;
    const isOverdue = this.random.chance(this.profile.overdue);
    await this.wait(
      this.random.between(...(isOverdue ? OVERDUE_AFTER : ([0, this.random.pick(REPORTED_AFTER)] as const))),
    );
    const report = composeReport(kind, envelope);
    for (let n = 0; n < TRIES && !this.isClosed; n++) {
      const act = this.recorder.begin('mta', 'report', { message: envelope.envid, kind: KIND[kind] });
      const submitter = new Submitter(this.ports.bounce);
      const reply = await submitter.submit(envelope.from, report);
      submitter.close();
      if (reply.startsWith('2')) act.ok({ reply });
      else if (reply.startsWith('5')) act.fail(Number(reply.slice(0, 3)), reply);
      // 451: the answer of the store was lost, perhaps not the report.
      else act.info(reply);
      if (/^[25]/.test(reply)) break;
      this.onSilence();
      await this.wait(this.random.between(100, 5_000));
    }
    this.pending -= 1;
  }
}

/** Why the mail should not have been sent like this, or null. */
function faultOf(source: string, envid: string): string | null {
  const head = source.slice(0, source.indexOf('\r\n\r\n'));
  const messageId = /^x-message-id:\s*(\S+)/im.exec(head)?.[1] ?? '';
  if (messageId === '' || messageId !== envid) return 'X-Message-id is not ENVID';
  if (!/^dkim-signature:/im.test(head)) return 'not signed';
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(head)?.[1];
  return boundary && !source.trimEnd().endsWith(`--${boundary}--`) ? 'incomplete' : null;
}
