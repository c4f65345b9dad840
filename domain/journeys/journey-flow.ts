import type { BranchCondition, JourneyStep } from './journey';

/** A step with its number and the numbers of what follows it; null: the journey is over behind it. */
export type NumberedStep =
  | { number: number; step: Exclude<JourneyStep, { kind: 'branch' }>; next: number | null }
  | { number: number; step: BranchStep; then: number | null; else: number | null };

type BranchStep = Extract<JourneyStep, { kind: 'branch' }>;

/**
 * The steps in the order of the file with their numbers from 1, those within branches included
 * (docs/contract.md#steps-of-a-journey). Step `n` is at place `n - 1`.
 */
export function numberSteps(steps: readonly JourneyStep[]): NumberedStep[] {
  const numbered: NumberedStep[] = [];
  append(steps, 1, null, numbered);
  return numbered.sort((a, b) => a.number - b.number);
}

/** Steps including those within branches. */
export function countSteps(steps: readonly JourneyStep[]): number {
  return steps.reduce((sum, step) => sum + sizeOf(step), 0);
}

function sizeOf(step: JourneyStep): number {
  return step.kind === 'branch' ? 1 + countSteps(step.then) + countSteps(step.else) : 1;
}

/** Appends a list of steps whose first has the number `first`, and which `after` follows. */
function append(steps: readonly JourneyStep[], first: number, after: number | null, to: NumberedStep[]): void {
  let number = first;
  for (const [place, step] of steps.entries()) {
    const behind = number + sizeOf(step);
    const next = place === steps.length - 1 ? after : behind;
    if (step.kind === 'branch') {
      const elseFirst = number + 1 + countSteps(step.then);
      to.push({
        number,
        step,
        then: step.then.length > 0 ? number + 1 : next,
        else: step.else.length > 0 ? elseFirst : next,
      });
      append(step.then, number + 1, next, to);
      append(step.else, elseFirst, next, to);
    } else {
      to.push({ number, step, next });
    }
    number = behind;
  }
}

/** The facts that a branch asks for. */
export interface BranchFacts {
  goalReached: boolean;
  /** Numbers of the steps whose mail was opened, and clicked. A click counts as an open. */
  opened: ReadonlySet<number>;
  clicked: ReadonlySet<number>;
}

/** The number of the step that follows, or null when the journey is over. Waits and other steps have one way on. */
export function nextStep(at: NumberedStep, facts: BranchFacts): number | null {
  if ('next' in at) return at.next;
  return holds(at.step.on, facts) ? at.then : at.else;
}

/** True when the condition of a branch is met. */
export function holds(on: BranchCondition, { goalReached, opened, clicked }: BranchFacts): boolean {
  if (on.kind === 'goal') return goalReached;
  return clicked.has(on.step) || (on.kind === 'opened' && opened.has(on.step));
}
