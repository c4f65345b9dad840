import type { LedgerEntry } from '../domain/coins';
import type { Conversion } from '../domain/conversion';
import type { Feedback } from '../domain/feedback';
import type { MessageEventName, Signal } from '../domain/signal';

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

/** An event that the workspace's webhooks announce. */
export interface EventRecord {
  workspaceId: number;
  messageId: string;
  event: MessageEventName;
  /** ms */
  occurredAt: number;
  /** Of a click: the place of its destination in the message's list of links, see Signal. */
  link?: number;
  /** Without addresses, see domain/mask-addresses. */
  reason?: string;
}

/** What a recipient did. A click of version 1 may name its destination instead of the destination's place. */
export type HitRecord = Signal & { url?: string };

/** A sale was reported; the buyer is named by ids only. */
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

/** What each topic carries, in its newest version: ids and small facts, never bodies. */
export interface RecordValues {
  'messages.accepted': AcceptedRecord;
  'messages.dispatch': DispatchRecord;
  'mta.feedback': FeedbackRecord;
  'message.events': EventRecord;
  'coins.entries': LedgerEntry;
  'engagement.hits': HitRecord;
  conversions: ConversionRecord;
  'campaigns.sends': CampaignRecord;
  'journeys.enrollments': EnrollmentRecord;
}
