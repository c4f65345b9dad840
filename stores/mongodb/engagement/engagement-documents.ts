import type { RollUp } from '../../../domain/engagement/engagement';
import type { HitKind, MachineReason } from '../../../domain/engagement/machine';
import type { Signal } from '../../../domain/engagement/signal';
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
