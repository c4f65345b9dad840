import type { DueKind, DuePayloads } from './due-payloads';

/** A payload as it is stored: the runner checks it (consumers/due-work/decode-task.ts). */
type StoredPayload = Readonly<Record<string, unknown>>;

/** The unique key of a task: the kind of work (letters, digits, `-` and `.`) and the natural id of one piece of it. */
export interface DueTaskKey {
  kind: string;
  id: string;
}

/** One piece of work, and the time when it is due. */
interface TaskFacts extends DueTaskKey {
  workspaceId: number;
  /** Tasks in the same lane share a limit, such as an endpoint; empty if there is none. */
  lane: string;
  /** ms */
  dueAt: number;
}

/** A task as it is stored. */
export interface StoredTask extends TaskFacts {
  payload: StoredPayload;
}

/** A task to schedule. */
export type DueTask<K extends DueKind = DueKind> = {
  [Kind in K]: TaskFacts & { kind: Kind; payload: DuePayloads[Kind] };
}[K];

/** A task claimed by one worker. */
export interface ClaimedTask extends StoredTask {
  /** The number of this attempt, from 1. Includes attempts whose worker died. */
  attempt: number;
  /** Proves the claim. The next claim gets a different one. */
  token: string;
}

export type TaskClaim = Pick<ClaimedTask, 'kind' | 'id' | 'token'>;

/** A task that is no longer retried automatically. */
export interface GivenUpTask extends StoredTask {
  /** Attempts made. */
  attempt: number;
  reason: string;
  /** ms */
  givenUpAt: number;
}

export interface DueClaimRequest {
  kind: string;
  /** Only tasks of this lane. Default: all lanes. */
  lane?: string;
  now: number;
  /** When others may claim the tasks again if the worker has died, ms. */
  leaseUntil: number;
  limit: number;
}

/** The next run of a task that continues: when it is due, ms, and what changes. */
export interface NextRun<K extends DueKind = DueKind> {
  dueAt: number;
  /** Default: unchanged. */
  payload?: DuePayloads[K];
  /** The number of attempts made. Default: unchanged. */
  attempt?: number;
}

/**
 * Work that falls due: retries, steps, schedules, deadlines (docs/architecture.md#due-work). One mechanism for all of
 * them: a due time, a claim with a lease and a fresh token, the attempt counted at the claim, and a compare-and-set on
 * the token to finish.
 * - Order: a claim takes tasks in the order in which they became available (due time, or the end of an earlier lease),
 *   then by id.
 * - Durability: every method that writes resolves once the write is durable. A rejected call may still have taken
 *   effect. Every method may be repeated, but a repeated claim counts another attempt.
 * - Ownership: a claimed task belongs to its worker until the lease ends, and after that until another worker claims
 *   it. A worker that no longer owns the task changes nothing: finish and giveUp return false. So a task is worked on
 *   at least once, and by one worker at a time as long as leases outlast the work.
 * - A finished task leaves nothing behind, and its id may be scheduled again. To prevent doing something twice, record
 *   it in the commit that schedules or finishes the task.
 * - A task that was given up stays until it is redriven; it is never deleted.
 * - Personal data: payloads, ids, lanes and reasons contain no address and no name, so deleting a contact changes
 *   nothing here.
 * - Errors: UnavailableError. For unknown tasks the result is false, 0 or empty.
 */
export interface DueTasks {
  /** All or none. An existing task with the same kind and id stays as it is, even if it was given up. */
  schedule(tasks: readonly DueTask[]): Promise<void>;
  /**
   * Leases tasks that are due or whose lease has ended, and counts an attempt of each. A task goes to one claim only.
   */
  claim(request: DueClaimRequest): Promise<ClaimedTask[]>;
  /** Deletes the task, or makes it due again with `next`. False if the claim is no longer valid. */
  finish(claim: TaskClaim, next?: NextRun): Promise<boolean>;
  /** Keeps the task with the reason; it can no longer be claimed. False if the claim is no longer valid. */
  giveUp(claim: TaskClaim, reason: string, now: number): Promise<boolean>;
  /**
   * Deletes one task or all tasks of a lane, claimed or not, except those given up. Returns how many. A lane is deleted
   * in steps, so tasks that are scheduled meanwhile may stay.
   */
  cancel(kind: string, which: { id: string } | { lane: string }): Promise<number>;
  /** Lanes with a task that could be claimed now, ascending from `after` (null: from the first), at most `limit`. */
  lanesDue(kind: string, now: number, after: string | null, limit: number): Promise<string[]>;
  /** The kinds of which there are tasks, given up or not, ascending; also those that this program does not know. */
  kinds(): Promise<string[]>;
  /** When the next task can be claimed, ms: the earliest due time or end of a lease. Null if there is none. */
  nextDue(kind: string): Promise<number | null>;
  /** Tasks that were given up, by id from `after` (null: from the first), at most `limit`. */
  givenUp(kind: string, after: string | null, limit: number): Promise<GivenUpTask[]>;
  /** Makes a task that was given up due again. False if there is no such task or it was not given up. */
  redrive(key: DueTaskKey, next: NextRun): Promise<boolean>;
}

/** Brings work forward whose subject has changed, beside the workers that claim it. */
export interface TaskWakes {
  /**
   * Makes a task that waits due at `dueAt` (ms) if it would be due more than a second later. False while a worker holds
   * it: it may have begun too early to see what it is to look at.
   */
  hasten(key: DueTaskKey, dueAt: number): Promise<boolean>;
}
