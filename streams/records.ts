import type { LedgerEntry } from '../domain/coins';
import type { Conversion } from '../domain/conversion';
import type { Feedback } from '../domain/feedback';
import type { MessageEventName, Signal } from '../domain/signal';
import type { TopicName } from './topics';

/** Messages wait: the owner of their workspace looks at the queue. */
export interface AcceptedRecord {
  workspaceId: number;
  /** One of them, for who reads the log. */
  messageId: string;
}

/** Attempt `attempt` of a message was claimed and is to be handed to the sending server. */
export interface DispatchRecord {
  messageId: string;
  attempt: number;
}

/** A report of the sending server, as our listener read it. */
export interface FeedbackRecord {
  messageId: string;
  feedback: Feedback;
}

/** Something the workspace's webhooks are to hear (spec section 6). */
export interface EventRecord {
  workspaceId: number;
  messageId: string;
  event: MessageEventName;
  /** ms */
  occurredAt: number;
  url?: string;
  reason?: string;
}

/** A sale was reported; who bought is told by ids only. */
export type ConversionRecord = Conversion;

/** A campaign went live: its recipients are to be expanded into messages. Everything else is with the stored campaign. */
export interface CampaignRecord {
  workspaceId: number;
  campaignId: number;
}

/** A contact entered a journey. */
export interface EnrollmentRecord {
  enrollmentId: string;
  workspaceId: number;
  journeyId: number;
  contactId: number;
}

/** What each topic carries: ids and small facts, never bodies (DESIGN 3.2). */
export interface RecordValues {
  'messages.accepted': AcceptedRecord;
  'messages.dispatch': DispatchRecord;
  'mta.feedback': FeedbackRecord;
  'message.events': EventRecord;
  'coins.entries': LedgerEntry;
  'engagement.hits': Signal;
  conversions: ConversionRecord;
  'campaigns.sends': CampaignRecord;
  'journeys.enrollments': EnrollmentRecord;
}

/** A record about to be written. */
export type OutgoingRecord = {
  [T in TopicName]: { topic: T; key: string; value: RecordValues[T] };
}[TopicName];

/** A record as read from the log. */
export interface LogRecord<T extends TopicName = TopicName> {
  topic: T;
  partition: number;
  /** Grows within a partition, without gaps being promised. */
  offset: number;
  key: string;
  value: RecordValues[T];
  /** ms */
  at: number;
}
