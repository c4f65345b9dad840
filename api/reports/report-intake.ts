import type { Clock } from '../../lib/clock';
import type { FeedbackKind } from '../../domain/feedback';
import { maskAddresses } from '../../domain/mask-addresses';
import type { Logger } from '../../lib/logger';
import type { EventLog } from '../../streams/event-log';
import type { OutgoingRecord } from '../../streams/records';
import type { ParsedMail, Report } from './report';

interface Arrival {
  /** The messages whose signed bounce addresses received the mail. */
  messageIds: readonly string[];
  trusted: boolean;
  /** Remote address, for log lines. */
  peer: string;
}

/** Turns parsed reports into records of `mta.feedback`. */
export class ReportIntake {
  constructor(
    private readonly log: Pick<EventLog, 'publish'>,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {}

  /**
   * Resolves once the reports of a mail are durable, or when it has none; rejects when the log does. A report belongs
   * to the message its bounce address is signed for; a report that names another message is dropped
   * (docs/architecture.md#feedback).
   */
  async take(mail: ParsedMail, { messageIds, trusted, peer }: Arrival): Promise<void> {
    if (mail.fault) this.logger.warn({ messageIds, peer, fault: mail.fault }, 'An unreadable report was dropped.');
    else if (mail.reports.length === 0)
      this.logger.info({ messageIds, peer }, 'A mail that is not a report was dropped.');
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

  /** The first report of each kind: further ones add nothing, however many recipients are listed. */
  private reportsOf(messageId: string, reports: readonly Report[], peer: string): Iterable<Report> {
    const byKind = new Map<FeedbackKind, Report>();
    for (const report of reports) {
      if (report.envelopeId && report.envelopeId.toLowerCase() !== messageId) {
        const facts = { messageId, peer, envelopeId: report.envelopeId.slice(0, 100) };
        this.logger.warn(facts, 'A report was dropped: its bounce address is for another message.');
      } else if (!byKind.has(report.kind)) byKind.set(report.kind, report);
    }
    return byKind.values();
  }
}
