import type { Feedback } from '../../domain/messages/feedback';
import type { HandOff } from '../../domain/messages/lifecycle';
import type { Message } from '../../domain/messages/message';
import type { HandOffOutcome } from '../../email/transports/transport';

/** How the transport ended a hand-off, or that it never began: the contact was deleted, so nothing is sent. */
export type EndedHandOff =
  Exclude<HandOffOutcome, { kind: 'fenced_out' }> | { kind: 'recipient_gone'; server?: string };

/** The end of one hand-off of a message, without addresses in its texts. */
export interface HandOffEnd {
  from: 'hand-off';
  /** As the attempt left it, before its outcome is stored. */
  message: Message;
  handOff: HandOff;
  ended: EndedHandOff;
  /** The sending server that it was to go over, where there are several. */
  over: string | undefined;
}

/** A report of a sending server about a message. */
export interface Report {
  from: 'report';
  /** As it was before the report. */
  message: Message;
  feedback: Feedback;
}

/** What became of a message, as subscribers hear it. */
export type MailOutcome = HandOffEnd | Report;

/** A part that acts on what became of messages. It may fail and may be slow: the outcome is stored all the same. */
export interface OutcomeSubscriber {
  /** Names it in the log. */
  name: string;
  /**
   * Called before the outcome is stored, also for a report that turns out to change nothing. The answer says in words
   * what the subscriber did, and becomes a part of the stored attempt of a hand-off; null for nothing.
   */
  beforeStored?(outcome: MailOutcome): string | null | Promise<string | null>;
  /** Called once the outcome has changed its message. */
  stored?(outcome: MailOutcome): void | Promise<void>;
}
