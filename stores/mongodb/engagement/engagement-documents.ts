import type { RollUp } from '../../../domain/engagement/engagement';
import type { HitKind, MachineReason } from '../../../domain/engagement/machine';
import type { Signal } from '../../../domain/engagement/signal';
import type { MessageHour } from '../../../domain/messages/message-hour';
import type { OutboxEntry, Stored } from '../database/stored';

export interface SignalDocument extends Omit<Stored<Signal>, 'kind' | 'machine'> {
  kind: HitKind;
  machine: MachineReason | null;
  client: string | null;
  workspaceId: number;
  /** Of a click: the contact that its message went to. */
  contactId?: number;
  outbox?: OutboxEntry[];
  outboxAt?: number;
}

/** A contact's activity in one hour (see RollUp in domain/engagement). `_id` is `<contact>:<hour>`. */
export interface EngagementDocument extends Omit<RollUp, 'lastAt'> {
  _id: string;
  workspaceId: number;
  contactId: number;
  /** Only in the row of all time. */
  lastAt?: number;
}

/**
 * The counts of the messages that were accepted in an hour. `_id` is `<workspace>:<hour>`. Kept once the hour is over
 * and all its messages have a final status; so accepting and sending write nothing here
 * (docs/decisions/0068-messages-are-counted-by-hour-of-acceptance.md).
 */
export interface MessageHourDocument {
  _id: string;
  workspaceId: number;
  hour: number;
  /** Incremented by every write of what is counted, so that counting at the same time conflicts. */
  touched?: number;
  /** Left out while the hour is not counted. */
  counts?: Omit<MessageHour, 'hour'>;
}
