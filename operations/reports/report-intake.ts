import type { Clock } from '../../lib/clock';
import { isStronger } from '../../domain/bounces/bounce-class';
import { unreadReport } from '../../domain/bounces/unread-report';
import type { FeedbackKind } from '../../domain/messages/feedback';
import { maskAddresses } from '../../domain/addresses/mask-addresses';
import type { Logger } from '../../lib/logger';
import type { BounceStore } from '../../stores/ports/bounce-store';
import type { MessageStore } from '../../stores/ports/message-store';
import type { EventLog } from '../../streams/event-log';
import { canonicalAddress } from '../../schemas/rules/email-address';
import type { OutgoingRecord } from '../../streams/records';
import type { ParsedMail, Report } from './report';

export interface IntakeDeps {
  log: Pick<EventLog, 'publish'>;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Null keeps nothing of what was not understood, and takes every recipient of a report for ours. */
  stores: { messages: Pick<MessageStore, 'get'>; bounces: Pick<BounceStore, 'keepUnread'> } | null;
}

/** Of a mail that could not be read. */
const PARKED_BYTES = 2_000;

/** A report that came, and how. */
export interface Arrival {
  mail: ParsedMail;
  /** The messages whose signed bounce addresses received the mail. */
  messageIds: readonly string[];
  trusted: boolean;
  /** Remote address, for log lines. */
  peer: string;
}

/** Turns parsed reports into records of `mta.feedback`. */
export class ReportIntake {
  constructor(private readonly deps: IntakeDeps) {}

  /**
   * Resolves once the reports of a mail are durable, or when it has none; rejects when the log does. A report belongs
   * to the message its bounce address is signed for; a report that names another message is dropped
   * (docs/architecture.md#feedback). What was not understood is kept without addresses.
   */
  take(mail: ParsedMail, arrival: Omit<Arrival, 'mail'>): Promise<void> {
    return this.takeAll([{ mail, ...arrival }]);
  }

  /** Keeps the beginning of a mail that could not be read at all, to be looked at. */
  async park(raw: Uint8Array): Promise<void> {
    const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, PARKED_BYTES)).toString('latin1');
    await this.deps.stores?.bounces.keepUnread(unreadReport(text, this.deps.clock.now()));
  }

  /** The same for several that came together: they become durable at once. */
  async takeAll(arrivals: readonly Arrival[]): Promise<void> {
    const at = this.deps.clock.now();
    const records: OutgoingRecord[] = [];
    for (const arrival of arrivals) records.push(...(await this.recordsOf(arrival, at)));
    if (records.length > 0) await this.deps.log.publish(records);
  }

  private async recordsOf({ mail, messageIds, trusted, peer }: Arrival, at: number): Promise<OutgoingRecord[]> {
    const { logger, stores } = this.deps;
    if (mail.fault) logger.warn({ messageIds, peer, fault: mail.fault }, 'An unreadable report was dropped.');
    else if (mail.reports.length === 0) logger.info({ messageIds, peer }, 'An email that is not a report was dropped.');
    if (mail.unread !== null) await stores?.bounces.keepUnread(unreadReport(mail.unread, at));
    const records: OutgoingRecord[] = [];
    for (const messageId of new Set(messageIds)) {
      for (const { kind, text, class: found, hard } of await this.reportsOf(messageId, mail, peer)) {
        const feedback = { kind, trusted, text: maskAddresses(text), class: found, hard, at };
        records.push({ topic: 'mta.feedback', key: messageId, value: { messageId, feedback } });
      }
    }
    return records;
  }

  /** One report of each kind, the strongest: further ones add nothing, however many recipients are listed. */
  private async reportsOf(messageId: string, mail: ParsedMail, peer: string): Promise<Iterable<Report>> {
    const byKind = new Map<FeedbackKind, Report>();
    for (const report of await this.aboutOurs(messageId, mail)) {
      if (report.envelopeId && report.envelopeId.toLowerCase() !== messageId) {
        const facts = { messageId, peer, envelopeId: report.envelopeId.slice(0, 100) };
        this.deps.logger.warn(facts, 'A report was dropped: its bounce address is for another message.');
        continue;
      }
      const other = byKind.get(report.kind);
      if (!other || (report.class !== null && isStronger(report.class, other.class))) byKind.set(report.kind, report);
    }
    return byKind.values();
  }

  /**
   * With several recipients the reports that name ours decide; all of them when none does. A forwarded one must. One in
   * prose that names neither the message nor its recipient is no hard bounce.
   */
  private async aboutOurs(messageId: string, { reports, nested, prose }: ParsedMail): Promise<readonly Report[]> {
    const isNamed = prose === null || prose.named.includes(messageId);
    if (reports.length < 2 && !nested && isNamed) return reports;
    const message = await this.deps.stores?.messages.get(messageId);
    const to = message?.to && canonicalAddress(message.to);
    const named = to
      ? reports.filter(({ recipients }) => recipients.some((address) => canonicalAddress(address) === to))
      : [];
    if (named.length > 0) return named;
    if (nested) return reports.filter(({ envelopeId }) => envelopeId?.toLowerCase() === messageId);
    return isNamed ? reports : reports.map((report) => ({ ...report, hard: false }));
  }
}
