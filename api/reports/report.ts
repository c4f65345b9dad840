import type { FeedbackKind } from '../../domain/feedback';

/** What a mail reports about one recipient. */
export interface Report {
  kind: FeedbackKind;
  /** Code and reason, one line, at most 500 characters; may be empty. */
  text: string;
  /** The ENVID from the hand-off of the message, as repeated in the report. */
  envelopeId: string | null;
}

export interface ParsedMail {
  /** Empty for a mail that is not a report. */
  reports: Report[];
  /** What is wrong with a mail that looks like a report. */
  fault: string | null;
}
