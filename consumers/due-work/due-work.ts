import type { DueKind, DuePayloads } from '../../stores/ports/due-payloads';
import type { ClaimedTask, NextRun } from '../../stores/ports/due-tasks';
import type { Lanes } from './lanes';

/** A claimed task whose payload was checked. */
export type DueWorkTask<K extends DueKind = DueKind> = Omit<ClaimedTask, 'payload'> & { payload: DuePayloads[K] };

/** The result of one attempt: the task is done, due again, or given up with a reason until it is driven again. */
export type DueOutcome<K extends DueKind = DueKind> =
  { kind: 'done' } | { kind: 'again'; next: NextRun<K> } | { kind: 'given up'; reason: string };

export const done = { kind: 'done' } as const satisfies DueOutcome;

/** Processes each task alone; the runner finishes it with the outcome. */
export interface EachTask<K extends DueKind> {
  /**
   * Runs one attempt. It was counted when it was claimed, so the handler also sees attempts that a worker died in. When
   * it throws, the task stays as it is until its lease ends.
   */
  each(task: DueWorkTask<K>): Promise<DueOutcome<K>>;
  /** Where time travel stops instead of at the next due time, ms; null for nowhere. */
  travelStop?: () => number | null;
}

/** Processes a batch of tasks, and finishes them in the commits of their results. */
export interface TaskBatch<K extends DueKind> {
  batch(tasks: readonly DueWorkTask<K>[]): Promise<void>;
}

/** What to do with the due tasks of a lane. */
export interface OpenedLane<K extends DueKind> {
  workspaceId: number;
  /** Its endpoint fails all the time: one task at a time. */
  troubled: boolean;
  /**
   * Called once for the tasks that were claimed together. Returns the attempt of task `n`, which finishes it itself.
   */
  begin: (tasks: readonly DueWorkTask<K>[]) => (n: number, signal: AbortSignal) => Promise<unknown>;
}

/** Calls endpoints, each in a lane of its own, so that one that hangs slows no other. */
export interface LaneWork<K extends DueKind> {
  lanes: Lanes;
  /** A number when so many tasks were ended instead. */
  openLane(lane: string): Promise<OpenedLane<K> | number>;
}

/** How the tasks of a kind are processed. */
export type DueHandler<K extends DueKind> = EachTask<K> | TaskBatch<K> | LaneWork<K>;
