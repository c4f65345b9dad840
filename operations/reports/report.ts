import type { BounceClass } from '../../domain/bounces/bounce-class';
import type { FeedbackKind } from '../../domain/messages/feedback';

/** What a mail reports about one recipient. */
export interface Report {
  kind: FeedbackKind;
  /** Code and reason, one line, at most 500 characters; may be empty. */
  text: string;
  /** The ENVID from the hand-off of the message, as repeated in the report. */
  envelopeId: string | null;
  /** What the refusal means; null when there was none. */
  class: BounceClass | null;
  /** True when the recipient can never be reached. */
  hard: boolean;
  /** The addresses it names, in lower case; empty when it names none. */
  recipients: readonly string[];
}

/** The reports of one report part, and what is wrong with it. */
export interface ReadPart {
  reports: Report[];
  fault: string | null;
}

export interface ParsedMail {
  /** Empty for a mail that is not a report. */
  reports: Report[];
  /** What is wrong with a mail that looks like a report. */
  fault: string | null;
  /**
   * True for reports in a mail that was forwarded or cut, or attached by a person: they count only for the message they
   * name.
   */
  nested: boolean;
  /**
   * Null for reports in a report's own form. For one in prose, the messages that came to their bounce addresses and are
   * named in it, by that address or by their id: it is hard for those only, and for those whose recipient it names.
   */
  prose: { named: readonly string[] } | null;
  /** The text of a mail that was not understood, or a refusal that no rule knows; null when all was understood. */
  unread: string | null;
}
