import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { Keyring } from '../../domain/keyring';
import { readVerpLocalPart } from '../../domain/messages/message-tokens';
import type { Logger } from '../../lib/logger';
import { findComplaint, isFeedbackAddress, mayBeComplaint } from './complaint-at-address';
import { MAX_REPORT_BYTES } from './parse-report';
import { aggregateDomain, type ReadAggregate } from './aggregate/read-aggregate';
import { readHead, TooLargeError } from './read-head';
import type { ArrivedReport } from '../../operations/reports/keep-aggregate';
import type { ReportIntake } from '../../operations/reports/report-intake';
import type { Overruns } from './overruns';
import type { BouncedMessage, ReadReport } from './report-protocol';
import { ReaderBusyError, ReportUnreadError, type ReportReader } from './report-reader';

/** The most bytes of a mail. */
export const MAX_MAIL = 10 * 1024 * 1024;
/** The same of one with an aggregate report, and how many of them are in hand at once. */
const MAX_AGGREGATE = 6 * 1024 * 1024;
const MAX_AGGREGATES = 4;

export interface ReceiverDeps {
  keyring: Keyring;
  intake: ReportIntake;
  reader: ReportReader;
  /** Keeps an aggregate report; resolves to null, or to why it is not kept. */
  keep: (arrived: ArrivedReport) => Promise<string | null>;
  overruns: Overruns;
  isTrustedPeer: (remoteAddress: string) => boolean | Promise<boolean>;
  logger: Pick<Logger, 'warn'>;
}

/** Nothing of this kind is taken from this network for a while. */
class NetworkRefusedError extends Error {
  override readonly name = 'NetworkRefusedError';
}

/** Who a mail is from and for. */
interface Envelope {
  bounced: BouncedMessage[];
  /** The domains whose addresses for aggregate reports it came to. */
  aggregates: string[];
  toFeedback: boolean;
  /** The envelope sender; empty for the null sender. */
  from: string;
  /** Remote address. */
  peer: string;
}

/** Takes the mails of the report listener. */
export class ReportReceiver {
  private aggregatesInHand = 0;

  constructor(private readonly deps: ReceiverDeps) {}

  /** True for a signed bounce address, a feedback address, and one for aggregate reports. */
  isOurs(address: string): boolean {
    return this.bouncedTo(address) !== null || isFeedbackAddress(address) || aggregateDomain(address) !== null;
  }

  /** Resolves to null once the mail is processed, or to the reply that refuses it. */
  async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const envelope = this.envelopeOf(session);
    let head: Uint8Array = new Uint8Array(0);
    try {
      if (envelope.aggregates.length > 0) return await this.receiveAggregate(stream, envelope);
      head = await readHead(stream, MAX_REPORT_BYTES, MAX_MAIL);
      await this.take(head, envelope);
      return null;
    } catch (error) {
      return this.refuse(error, head, envelope);
    }
  }

  /** Such a mail is read whole, so few at once, and nothing else is looked for in it. */
  private async receiveAggregate(stream: SMTPServerDataStream, envelope: Envelope): Promise<null> {
    if (this.deps.overruns.waitOf(envelope.peer) > 0) {
      await readHead(stream, 0, MAX_MAIL);
      throw new NetworkRefusedError('An aggregate report of this network was larger than any report is');
    }
    if (this.aggregatesInHand === MAX_AGGREGATES) {
      await readHead(stream, 0, MAX_MAIL);
      throw new ReaderBusyError('Too many aggregate reports at once');
    }
    this.aggregatesInHand += 1;
    try {
      const bytes = await readHead(stream, MAX_AGGREGATE + 1, MAX_MAIL);
      if (bytes.length > MAX_AGGREGATE) throw new TooLargeError(`More than ${MAX_AGGREGATE} bytes`);
      await this.takeAggregate(bytes, envelope);
      return null;
    } finally {
      this.aggregatesInHand -= 1;
    }
  }

  private async takeAggregate(bytes: Uint8Array, { aggregates: addressed, peer }: Envelope): Promise<void> {
    const { reader, keep, logger } = this.deps;
    const job = { bytes, bounced: [], toFeedback: false, from: '', isAggregate: true } as const;
    const { reports, fault, overrun } = await reader.read(job).then(({ aggregate }) => aggregate!, tooLong);
    if (overrun) await this.noteOverrun(peer);
    const dropped = (reason: string, facts = {}): void =>
      logger.warn({ peer, addressed, reason, ...facts }, 'An aggregate report was dropped.');
    if (fault !== null) dropped(fault);
    for (const { about, report } of reports) {
      const reason = await keep({ about, report, addressed });
      if (reason !== null) dropped(reason, { about, org: report.org, reportId: report.reportId });
    }
  }

  /** A server that passes mail on for others, as one of ours does, is no network that sends such reports. */
  private async noteOverrun(peer: string): Promise<void> {
    const { isTrustedPeer, overruns } = this.deps;
    if (!(await isTrustedPeer(peer))) overruns.note(peer);
  }

  private async take(bytes: Uint8Array, envelope: Envelope): Promise<void> {
    const { bounced, toFeedback, from } = envelope;
    // Anybody may write to a feedback address, and most of it is thrown away.
    const isWorthReading = bounced.length > 0 || mayBeComplaint(bytes, from);
    const read = isWorthReading ? await this.deps.reader.read({ bytes, bounced, toFeedback, from }) : null;
    if (read && !read.isBare && bounced.length > 0) await this.takeReport(read, envelope);
    if (toFeedback || read?.isBare) await this.takeComplaint(read, envelope);
  }

  private async takeReport({ mail }: ReadReport, { bounced, peer }: Envelope): Promise<void> {
    const trusted = await this.deps.isTrustedPeer(peer);
    await this.deps.intake.take(mail, { messageIds: bounced.map(({ id }) => id), trusted, peer });
  }

  private async takeComplaint(read: ReadReport | null, { peer }: Envelope): Promise<void> {
    const { keyring, intake, logger } = this.deps;
    const found = read && findComplaint(keyring, read);
    if (found) await intake.take(found.mail, { messageIds: [found.messageId], trusted: false, peer });
    else
      logger.warn(
        { peer, fault: read?.mail.fault ?? null },
        'A message to the feedback address was dropped: it is not a complaint about one of our messages.',
      );
  }

  private async refuse(error: unknown, head: Uint8Array, { bounced, peer }: Envelope): Promise<Error> {
    const { logger, intake } = this.deps;
    if (error instanceof TooLargeError) return refusal(552, `5.3.4 ${error.message}`);
    if (error instanceof ReaderBusyError) return refusal(451, '4.3.2 Too many reports at once, try again later');
    if (error instanceof NetworkRefusedError) return refusal(450, `4.7.1 ${error.message}, try again later`);
    const facts = { err: error, messageIds: bounced.map(({ id }) => id), peer };
    if (error instanceof ReportUnreadError) {
      logger.warn(facts, 'A report could not be read in time. It is kept, and the peer was asked to retry.');
      await intake.park(head).catch((err: unknown) => logger.warn({ ...facts, err }, 'That report could not be kept.'));
      return refusal(451, '4.3.0 Not read in time, try again later');
    }
    logger.warn(facts, 'Storing a report failed; the peer was asked to retry.');
    return refusal(451, '4.3.0 Not stored, try again later');
  }

  private bouncedTo(address: string): BouncedMessage | null {
    const localPart = address.slice(0, address.lastIndexOf('@'));
    const id = readVerpLocalPart(this.deps.keyring, localPart);
    return id === null ? null : { id, localPart };
  }

  private envelopeOf({ envelope: { mailFrom, rcptTo }, remoteAddress }: SMTPServerSession): Envelope {
    return {
      bounced: rcptTo.flatMap(({ address }) => this.bouncedTo(address) ?? []),
      aggregates: rcptTo.flatMap(({ address }) => aggregateDomain(address) ?? []),
      toFeedback: rcptTo.some(({ address }) => isFeedbackAddress(address)),
      from: mailFrom === false ? '' : mailFrom.address,
      peer: remoteAddress,
    };
  }
}

/** One that takes too long, or more memory than there is, would do so again: it is taken, and dropped. */
function tooLong(error: unknown): ReadAggregate {
  if (!(error instanceof ReportUnreadError)) throw error;
  return { reports: [], fault: error.message, overrun: true };
}

/** An error that carries an SMTP reply. */
export function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
