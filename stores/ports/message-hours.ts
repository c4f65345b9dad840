import type { MessageHour } from '../../domain/messages/message-hour';

/** What became of the messages of each hour (docs/decisions/0068-messages-are-counted-by-hour-of-acceptance.md). */
export interface MessageHours {
  /**
   * The messages accepted from `since` to `until`, both full hours and `until` not included, ms; hours without any may
   * be left out. Fast for any number of messages.
   */
  between(workspaceId: number, since: number, until: number): Promise<MessageHour[]>;
}
