import type { BounceClass } from '../../domain/bounces/bounce-class';
import type { PastRefusal } from '../../domain/bounces/past-refusals';
import type { UnreadReport } from '../../domain/bounces/unread-report';

/** A number of messages of a workspace. */
export interface WorkspaceCount {
  workspaceId: number;
  count: number;
}

/** A refusal as its message keeps it. */
export interface StoredRefusal {
  domainId: number;
  /** Null once the contact was deleted. */
  to: string | null;
  /** The server's words, without addresses. */
  reason: string;
  at: number;
}

/** What refusals and reports left behind. */
export interface BounceStore {
  /**
   * The messages to a contact that were refused for one of the classes since the last delivery to it, by when they were
   * refused. Those refused at the hand-off count, too (docs/contract.md#classes-of-bounces).
   */
  refusedSince(contactId: number, classes: readonly BounceClass[]): Promise<PastRefusal[]>;
  /** The newest refusals of a class at or after a time, newest first. */
  refusals(bounceClass: BounceClass, since: number, limit: number): Promise<StoredRefusal[]>;
  /** How many messages accepted at or after a time bounced hard, for each workspace with any. */
  hardSince(since: number): Promise<WorkspaceCount[]>;
  /** The same of those that drew a complaint. */
  complainedSince(since: number): Promise<WorkspaceCount[]>;
  /**
   * Adds to the count of its kind; a new kind beyond MAX_UNREAD is not kept. Writers at the same time may pass the
   * limit by a few.
   */
  keepUnread(report: UnreadReport): Promise<void>;
  /** Newest first. */
  unread(limit: number): Promise<UnreadReport[]>;
  /** Deletes those last seen before a time; returns how many. */
  trimUnread(before: number): Promise<number>;
}
