import type { WorkspaceWakeup, WakeupChange } from '../../ports/wakeup-store';

/** The next wake-up of a workspace; `_id` is the workspace. */
export interface WakeupDocument extends Omit<WorkspaceWakeup, 'workspaceId'>, Pick<WakeupChange, 'shard' | 'epoch'> {
  _id: number;
}

/**
 * Claims of a WIB day of one workspace (`_id` is `<day>:<workspace>`) or, with workspace null, of all workspaces of one
 * shard (`<day>:shard:<lease>`). The platform's claims are the sum of the shards, so that claims of different shards
 * never wait for each other.
 */
export interface SendDayDocument {
  _id: string;
  day: string;
  workspaceId: number | null;
  claims: number;
}
