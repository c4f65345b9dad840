/** A task that falls due (see DueTasks); `_id` is `<kind>:<id>`. */
export interface DueTaskDocument {
  _id: string;
  kind: string;
  workspaceId: number;
  lane: string;
  dueAt: number;
  /** As JSON: the scheduler chooses its field names. */
  payload: string;
  attempt: number;
  /** When it may be claimed: its due time, the end of its lease, or NEVER_READY. */
  readyAt: number;
  /** The token of the claim that holds it; left out when none does. */
  token?: string;
  givenUp?: { reason: string; at: number };
}

/** `readyAt` of a task that was given up: behind everything else in the index. */
export const NEVER_READY = Number.MAX_SAFE_INTEGER;
