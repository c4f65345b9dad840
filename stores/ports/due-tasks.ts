/** Small facts that the work needs: ids and numbers, never an address, a name or a text that somebody wrote. */
export type DuePayload = Readonly<Record<string, string | number | boolean | null>>;

/** What exists once: a kind of work (letters, digits, `-` and `.`), and the natural id of one piece of it. */
export interface DueTaskKey {
  kind: string;
  id: string;
}

/** One piece of work with the time at which it is to be done. */
export interface DueTask extends DueTaskKey {
  workspaceId: number;
  /** What shares a limit, such as an endpoint; '' where nothing does. */
  lane: string;
  /** ms */
  dueAt: number;
  payload: DuePayload;
}

/** A task in the hands of one worker. */
export interface ClaimedTask extends DueTask {
  /** The number of this attempt, from 1. Attempts whose worker died are counted too. */
  attempt: number;
  /** Proves the claim; the next one gets another. */
  token: string;
}

export type TaskClaim = Pick<ClaimedTask, 'kind' | 'id' | 'token'>;

/** A task that nobody will try again by itself. */
export interface GivenUpTask extends DueTask {
  /** Attempts made. */
  attempt: number;
  reason: string;
  /** ms */
  givenUpAt: number;
}

export interface DueClaimRequest {
  kind: string;
  /** Tasks of this lane only; left out: of all lanes. */
  lane?: string;
  now: number;
  /** When others may claim what is claimed now, should its worker be gone, ms. */
  leaseUntil: number;
  limit: number;
}

/** A task that goes on: when it is due, ms, and what changes with it. */
export interface NextTurn {
  dueAt: number;
  /** Left out: as it was. */
  payload?: DuePayload;
  /** Attempts that count as made; left out: those that were. */
  attempt?: number;
}

/**
 * Work that falls due: retries, steps, schedules, deadlines (docs/architecture.md#due-work). One mechanism for all of them: a due time,
 * a claim with a lease and a fresh token, the attempt counted at the claim, and a compare-and-set on the token to finish.
 * - Order: a claim takes tasks in the order in which they could be had (due time, or end of the lease before), then of their ids.
 * - Durability: every method that writes resolves once the write is durable. One that rejects may have been done; every method may
 *   be repeated, but a repeated claim counts another attempt.
 * - Ownership: a claimed task is its worker's until the lease ends, and after that until another claims it. Whoever no longer owns
 *   it changes nothing: finish and giveUp answer false. So a task is worked off at least once, by one worker at a time as
 *   long as leases outlast the work.
 * - A finished task leaves nothing behind, and its id may be scheduled again. What must not happen twice is kept elsewhere, in
 *   the commit that schedules or finishes.
 * - What was given up stays until it is driven again; it is never deleted.
 * - Personal data: payloads, ids, lanes and reasons hold no address and no name, so that deleting a contact leaves nothing here.
 * - Errors: UnavailableError. What is unknown is answered with false, 0 or nothing.
 */
export interface DueTasks {
  /** All or none. A task whose kind and id exist, given up or not, stays as it is. */
  schedule(tasks: readonly DueTask[]): Promise<void>;
  /** Leases due tasks, and those whose lease has ended, and counts an attempt of each; one task goes to one claim only. */
  claim(request: DueClaimRequest): Promise<ClaimedTask[]>;
  /** Done: the task is gone, or due again with `next`. False when the claim no longer holds. */
  finish(claim: TaskClaim, next?: NextTurn): Promise<boolean>;
  /** Keeps the task with the reason; nobody claims it any more. False when the claim no longer holds. */
  giveUp(claim: TaskClaim, reason: string, now: number): Promise<boolean>;
  /**
   * Deletes one task, or all of a lane, claimed or not, but for what was given up; answers how many. A lane goes in steps:
   * what is scheduled there meanwhile may stay.
   */
  cancel(kind: string, which: { id: string } | { lane: string }): Promise<number>;
  /** Lanes with a task that could be claimed now, ascending from `after` (null: from the first), at most `limit`. */
  lanesDue(kind: string, now: number, after: string | null, limit: number): Promise<string[]>;
  /** When the next task can be claimed, ms: the earliest due time, or end of a lease. Null when there is none. */
  nextDue(kind: string): Promise<number | null>;
  /** What was given up, by id from `after` (null: from the first), at most `limit`. */
  givenUp(kind: string, after: string | null, limit: number): Promise<GivenUpTask[]>;
  /** What was given up is due again. False when there is no such task, or it was not given up. */
  redrive(key: DueTaskKey, next: NextTurn): Promise<boolean>;
}
