import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { Keyring } from '../../domain/keyring';
import { readVerpLocalPart } from '../../domain/messages/message-tokens';
import type { Logger } from '../../lib/logger';
import { findComplaint, isFeedbackAddress, mayBeComplaint } from './complaint-at-address';
import { MAX_REPORT_BYTES } from './parse-report';
import { readHead, TooLargeError } from './read-head';
import type { ReportIntake } from '../../commands/reports/report-intake';
import type { BouncedMessage, ReadReport } from './report-protocol';
import { ReaderBusyError, ReportUnreadError, type ReportReader } from './report-reader';

/** The most bytes of a mail. */
export const MAX_MAIL = 10 * 1024 * 1024;

export interface ReceiverDeps {
  keyring: Keyring;
  intake: ReportIntake;
  reader: ReportReader;
  isTrustedPeer: (remoteAddress: string) => boolean | Promise<boolean>;
  logger: Pick<Logger, 'warn'>;
}

/** Who a mail is from and for. */
interface Envelope {
  bounced: BouncedMessage[];
  toFeedback: boolean;
  fromNull: boolean;
  /** Remote address. */
  peer: string;
}

/** Takes the mails of the report listener. */
export class ReportReceiver {
  constructor(private readonly deps: ReceiverDeps) {}

  /** True for a signed bounce address, and for a feedback address. */
  isOurs(address: string): boolean {
    return this.bouncedTo(address) !== null || isFeedbackAddress(address);
  }

  /** Resolves to null once the mail is processed, or to the reply that refuses it. */
  async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const envelope = this.envelopeOf(session);
    let head: Uint8Array = new Uint8Array(0);
    try {
      head = await readHead(stream, MAX_REPORT_BYTES, MAX_MAIL);
      await this.take(head, envelope);
      return null;
    } catch (error) {
      return this.refuse(error, head, envelope);
    }
  }

  private async take(bytes: Uint8Array, envelope: Envelope): Promise<void> {
    const { bounced, toFeedback, fromNull } = envelope;
    // Anybody may write to a feedback address, and most of it is thrown away.
    const isWorthReading = bounced.length > 0 || mayBeComplaint(bytes);
    const read = isWorthReading ? await this.deps.reader.read({ bytes, bounced, toFeedback, fromNull }) : null;
    if (read && bounced.length > 0) await this.takeReport(read, envelope);
    if (toFeedback) await this.takeComplaint(read, envelope);
  }

  private async takeReport({ mail }: ReadReport, { bounced, peer }: Envelope): Promise<void> {
    const trusted = await this.deps.isTrustedPeer(peer);
    await this.deps.intake.take(mail, { messageIds: bounced.map(({ id }) => id), trusted, peer });
  }

  private async takeComplaint(read: ReadReport | null, { peer }: Envelope): Promise<void> {
    const { keyring, intake, logger } = this.deps;
    const found = read && findComplaint(keyring, read);
    if (found) await intake.take(found.mail, { messageIds: [found.messageId], trusted: false, peer });
    else logger.warn({ peer }, 'A mail to the feedback address was dropped: it is no complaint about a mail of ours.');
  }

  private async refuse(error: unknown, head: Uint8Array, { bounced, peer }: Envelope): Promise<Error> {
    const { logger, intake } = this.deps;
    if (error instanceof TooLargeError) return refusal(552, `5.3.4 ${error.message}`);
    if (error instanceof ReaderBusyError) return refusal(451, '4.3.2 Too many reports at once, try again later');
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
      toFeedback: rcptTo.some(({ address }) => isFeedbackAddress(address)),
      fromNull: mailFrom === false || mailFrom.address === '',
      peer: remoteAddress,
    };
  }
}

/** An error that carries an SMTP reply. */
export function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
