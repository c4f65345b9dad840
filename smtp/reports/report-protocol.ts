import type { BounceRule } from '../../domain/bounces/bounce-rule';
import type { ReadAggregate } from './aggregate/read-aggregate';
import type { ParsedMail } from '../../operations/reports/report';
import type { Marks } from '../../operations/reports/signed-mention';

/** A mail for the reader. */
export interface ReportJob {
  /** Its beginning. */
  bytes: Uint8Array;
  /**
   * The messages whose bounce addresses it came to, with the local parts of those; none: it came to feedback addresses
   * only.
   */
  bounced: readonly BouncedMessage[];
  /** Whether it came to a feedback address, where a complaint counts by what is signed in it. */
  toFeedback: boolean;
  /** The envelope sender; empty for the null sender (`MAIL FROM:<>`). */
  from: string;
  /** It came to an address for aggregate reports: nothing but those is read, and all of the mail is here. */
  isAggregate?: true;
}

/** A message, and the local part of its bounce address. */
export interface BouncedMessage {
  id: string;
  localPart: string;
}

/** What the reader found in a mail. */
export interface ReadReport {
  mail: ParsedMail;
  /** What looks signed in a complaint at a feedback address: as it came, and decoded; empty otherwise. */
  marks: readonly Marks[];
  /** It is a complaint without a feedback part, which counts by what is signed in it, wherever it came to. */
  isBare?: true;
  aggregate?: ReadAggregate;
}

/** What the thread is started with. */
export interface ReportWorkerData {
  /** An operator's rules. */
  rules: readonly BounceRule[];
}
