import type { FeedbackKind } from '../../domain/feedback';

/** What one mail says of one recipient. */
export interface Report {
  kind: FeedbackKind;
  /** Code and reason, one line, at most 500 characters; may be empty. */
  text: string;
  /** The ENVID the message was handed over with, as the report repeats it. */
  envelopeId: string | null;
}

export interface ParsedMail {
  /** Empty for a mail that is no report. */
  reports: Report[];
  /** What was wrong with a mail that wanted to be a report. */
  fault: string | null;
}
