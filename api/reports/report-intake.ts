import type { Clock } from '../../lib/clock';
import type { FeedbackKind } from '../../domain/feedback';
import { maskAddresses } from '../../domain/mask-addresses';
import type { Logger } from '../../lib/logger';
import type { EventLog } from '../../streams/event-log';
import type { OutgoingRecord } from '../../streams/records';
import type { ParsedMail, Report } from './report';

interface Arrival {
  /** The messages whose signed bounce addresses the mail was sent to. */
  messageIds: readonly string[];
  trusted: boolean;
  /** Remote address, for the log. */
  peer: string;
}

/** Turns a parsed report into records of `mta.feedback`. */
export class ReportIntake {
  constructor(
    private readonly log: Pick<EventLog, 'publish'>,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {}

  /**
   * Resolves once what the mail says is durable, or when it says nothing; rejects when the log did. A report belongs to
   * the message its bounce address is signed for; one that names another message is dropped
   * (docs/architecture.md#feedback).
   */
  async take(mail: ParsedMail, { messageIds, trusted, peer }: Arrival): Promise<void> {
    if (mail.fault) this.logger.warn({ messageIds, peer, fault: mail.fault }, 'A faulty report was dropped.');
    else if (mail.reports.length === 0) this.logger.info({ messageIds, peer }, 'Mail that is no report was dropped.');
    const at = this.clock.now();
    const records: OutgoingRecord[] = [];
    for (const messageId of new Set(messageIds)) {
      for (const { kind, text } of this.reportsOf(messageId, mail.reports, peer)) {
        records.push({
          topic: 'mta.feedback',
          key: messageId,
          value: { messageId, feedback: { kind, trusted, text: maskAddresses(text), at } },
        });
      }
    }
    if (records.length > 0) await this.log.publish(records);
  }

  /** The first report of each kind: more say nothing new, however many recipients a report lists. */
  private reportsOf(messageId: string, reports: readonly Report[], peer: string): Iterable<Report> {
    const byKind = new Map<FeedbackKind, Report>();
    for (const report of reports) {
      if (report.envelopeId && report.envelopeId.toLowerCase() !== messageId) {
        const facts = { messageId, peer, envelopeId: report.envelopeId.slice(0, 100) };
        this.logger.warn(facts, 'A report that names another message than its bounce address was dropped.');
      } else if (!byKind.has(report.kind)) byKind.set(report.kind, report);
    }
    return byKind.values();
  }
}
