import type { Enrollment, EnrollmentStep, LeaveReason } from './enrollment';

/**
 * Where an enrollment stands after a round. `goes_on`: it is at `step`, and its claim stays for more. `parked`: its
 * journey is paused; activating it schedules its step again.
 */
export type StepRunEnd =
  | { kind: 'goes_on'; step: number; since: number }
  | { kind: 'waits'; step: number; since: number; dueAt: number }
  | { kind: 'completed'; at: number }
  | { kind: 'left'; reason: LeaveReason; at: number }
  | { kind: 'parked' };

/**
 * What a round writes of its enrollment, and what becomes of its due task: kept claimed, done, or due again at a time
 * (ms).
 */
export interface StepRunChange {
  enrollment: Partial<Pick<Enrollment, 'status' | 'reason' | 'step' | 'since' | 'dueAt' | 'endedAt'>> | null;
  task: 'kept' | 'done' | { dueAt: number };
}

/** A round, as far as it is judged. */
export interface JudgedStepRun {
  /** The step that the enrollment was opened at. */
  from: number;
  /** The steps that were done, in order. */
  steps: readonly EnrollmentStep[];
  end: StepRunEnd;
}

/** False when a round came too late: its enrollment ended or moved, or it parks an enrollment of an active journey. */
export const isStepRunValid = (
  { from, end }: JudgedStepRun,
  enrollment: Pick<Enrollment, 'status' | 'step'> | undefined,
  isJourneyActive: () => boolean,
): boolean =>
  enrollment?.status === 'active' && enrollment.step === from && !(end.kind === 'parked' && isJourneyActive());

/** True when a round ends its enrollment. */
export const endsEnrollment = ({ end: { kind } }: JudgedStepRun): boolean => kind === 'completed' || kind === 'left';

/**
 * What the end of a round changes (docs/architecture.md#journeys). An enrollment ends at the given time, but not before
 * `notBefore` (ms), when it began or did the last of its steps before this round, and not before the steps of the
 * round.
 */
export function stepRunChange({ end, from, steps }: JudgedStepRun, notBefore: number): StepRunChange {
  switch (end.kind) {
    case 'goes_on':
      return { enrollment: { step: end.step, since: end.since }, task: 'kept' };
    case 'waits':
      return { enrollment: { step: end.step, since: end.since, dueAt: end.dueAt }, task: { dueAt: end.dueAt } };
    case 'parked':
      return { enrollment: null, task: 'done' };
    case 'completed':
    case 'left':
      return { enrollment: ended(end, from, steps, notBefore), task: 'done' };
  }
}

const ended = (
  end: Extract<StepRunEnd, { kind: 'completed' | 'left' }>,
  from: number,
  steps: readonly EnrollmentStep[],
  notBefore: number,
): StepRunChange['enrollment'] => ({
  status: end.kind,
  reason: end.kind === 'left' ? end.reason : null,
  step: steps.at(-1)?.step ?? from,
  dueAt: null,
  endedAt: Math.max(end.at, notBefore, ...steps.map(({ at }) => at)),
});
