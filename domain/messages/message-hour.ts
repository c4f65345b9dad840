import type { MessageStatus } from './message';

/** What recipients did with messages, each message counted once. A click is an open (docs/contract.md#open-pixel). */
export const ENGAGEMENT_COUNTS = ['opened', 'clicked', 'openedByPeople', 'clickedByPeople'] as const;
export type EngagementCounts = Record<(typeof ENGAGEMENT_COUNTS)[number], number>;

/** The messages that were accepted in an hour: the status that each has by now, and what their recipients did. */
export interface MessageHour extends Record<MessageStatus, number>, EngagementCounts {
  /** Start of the hour, ms. */
  hour: number;
  complained: number;
}

/** The messages that the sending server took, as far as is known; a list of them has this in place of a status. */
export const SENT = 'sent';
export const SENT_STATUSES = ['sent_to_mta', 'delivered', 'bounced'] as const satisfies readonly MessageStatus[];

/** A status to look for. */
export type StatusFilter = MessageStatus | typeof SENT;

/** The statuses that a filter means. */
export const statusesOf = (status: StatusFilter): readonly MessageStatus[] =>
  status === SENT ? SENT_STATUSES : [status];

/** What a recipient did or said, to look for. Those of machines are the messages that no person opened or clicked. */
export const ENGAGEMENTS = ['opened', 'clicked', 'opened-by-machines', 'clicked-by-machines', 'complained'] as const;
export type EngagementFilter = (typeof ENGAGEMENTS)[number];
