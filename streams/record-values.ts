import type { LedgerEntry } from '../domain/ledger/coins';
import type { Conversion } from '../domain/conversions/conversion';
import type { Feedback } from '../domain/messages/feedback';
import type { HitFacts, HitKind } from '../domain/engagement/machine';
import type { Lane } from '../domain/messages/message';
import type { MessageEventName, Signal } from '../domain/engagement/signal';

/** Messages are waiting: the owner of their workspace's shard checks the queue. */
export interface AcceptedRecord {
  workspaceId: number;
  /** One of the messages, for people who read the log. */
  messageId: string;
  /** Only mail of campaigns and journeys. Absent: there may be transactional mail. */
  bulk?: true;
}

/** Attempt `attempt` of a message was claimed and must be handed to the sending server. */
export interface DispatchRecord {
  messageId: string;
  attempt: number;
  /** Absent: transactional, or of a program that did not say. */
  lane?: Exclude<Lane, 'transactional'>;
  /** The sending server that it must go over; absent: whichever the rules name. */
  server?: string;
}

/** A report of the sending server, as our listener parsed it. */
export interface FeedbackRecord {
  messageId: string;
  feedback: Feedback;
}

/** An event that the workspace's webhooks announce. */
export interface EventRecord {
  workspaceId: number;
  messageId: string;
  event: MessageEventName;
  /** ms */
  occurredAt: number;
  /** For a click: the place of its destination in the message's list of links, see Signal. */
  link?: number;
  /** Without addresses; see domain/addresses/mask-addresses. */
  reason?: string;
  /** The id of the signal: tells events of one kind and time apart. */
  key?: string;
}

/** A recipient's action, with the small facts of the request that tell machines from people. */
export type HitRecord = Omit<Signal, 'kind' | 'machine'> & HitFacts & { kind: HitKind };

export const CONVERSION_RECORD_KINDS = ['reported', 'linked'] as const;

/**
 * A sale was reported, or linked to a click. The buyer is named by ids only. `messageId` and `contactId` are those of
 * the report; once linked, the message that was clicked, and its contact if it still exists.
 */
export interface ConversionRecord extends Omit<Conversion, 'orderId'> {
  kind: (typeof CONVERSION_RECORD_KINDS)[number];
  /** ms; null in a report. */
  clickedAt: number | null;
}

/** A contact entered a journey. */
export interface EnrollmentRecord {
  enrollmentId: string;
  workspaceId: number;
  journeyId: number;
  contactId: number;
}

/** The values of each topic, in the newest version: ids and small facts, never bodies. */
export interface RecordValues {
  'messages.accepted': AcceptedRecord;
  'messages.dispatch': DispatchRecord;
  'mta.feedback': FeedbackRecord;
  'message.events': EventRecord;
  'coins.entries': LedgerEntry;
  'engagement.hits': HitRecord;
  conversions: ConversionRecord;
  'journeys.enrollments': EnrollmentRecord;
}
