import { refusingStatus } from '../../domain/contacts/contact';
import { fullMinute, minuteOf, type EnrollmentStep } from '../../domain/journeys/enrollment';
import type { JourneyStep } from '../../domain/journeys/journey';
import { holds, nextStep, numberSteps, type BranchFacts, type NumberedStep } from '../../domain/journeys/journey-flow';
import type { DueTask, TaskClaim } from '../../stores/ports/due-tasks';
import type { StepRunEnd } from '../../domain/journeys/step-run-end';
import type { StepRun, OpenedEnrollment } from '../../stores/ports/journey-runs';
import { postTask } from './post-task';

/** A step that needs a store: the walk stops there until it is told its outcome. */
export type EffectStep = Extract<JourneyStep, { kind: 'email' | 'add_to_audience' }>;

/** The outcome of such a step: it was done, or refused for a reason. */
export type Done = Pick<EnrollmentStep, 'outcome'> & Partial<Pick<EnrollmentStep, 'reason' | 'messageId'>>;

/**
 * The way of one enrollment through the steps of one round (docs/architecture.md#journeys): up to a wait that is not
 * over, or the end. Without I/O.
 */
export class Walk {
  readonly steps: EnrollmentStep[] = [];
  readonly tasks: DueTask[] = [];
  end: StepRunEnd | null;
  private from: number;
  private isWritten = false;
  private readonly numbered: readonly NumberedStep[];
  private readonly facts: BranchFacts;
  private at: number | null;
  private since: number;

  constructor(
    readonly opened: OpenedEnrollment,
    private readonly claim: TaskClaim,
    private readonly now: number,
  ) {
    const { enrollment, version, opened: openedSteps, clicked } = opened;
    this.numbered = numberSteps(version.steps);
    this.facts = {
      goalReached: enrollment.goalAt !== null,
      opened: new Set(openedSteps),
      clicked: new Set(clicked),
    };
    this.from = enrollment.step;
    this.at = enrollment.step;
    this.since = enrollment.since;
    this.end = endBefore(opened, now);
  }

  /** Goes on to the next step that needs a store, with its number; null when the round is over. */
  toEffect(): { number: number; step: EffectStep } | null {
    while (!this.isOver) {
      const here = this.here();
      if (!here) break;
      const { number, step } = here;
      if (step.kind === 'email' || step.kind === 'add_to_audience') return { number, step };
      if (step.kind === 'wait') {
        const dueAt = fullMinute(this.since + step.ms);
        if (this.now < dueAt) {
          this.end = { kind: 'waits', step: number, since: this.since, dueAt };
          break;
        }
      }
      if (step.kind === 'webhook') this.tasks.push(postTask(this.opened.enrollment, number, this.now));
      this.done({ outcome: this.outcomeOf(here) });
    }
    return null;
  }

  /** Writes down the outcome of the step, and goes on behind it. */
  done({ outcome, reason = null, messageId = null }: Done): void {
    const here = this.here();
    if (!here) return;
    this.steps.push({ step: here.number, type: here.step.kind, at: this.now, outcome, reason, messageId });
    this.since = minuteOf(this.now);
    this.at = nextStep(here, this.facts);
  }

  /** The contact leaves instead of this step. */
  leave(reason: Extract<StepRunEnd, { kind: 'left' }>['reason']): void {
    this.end = { kind: 'left', reason, at: this.now };
  }

  /** True when there is nothing more to do in this round. */
  get isOver(): boolean {
    return this.isWritten || this.end !== null;
  }

  /** What is still to be written of the round: nothing, or the steps since the last mail that was accepted. */
  rest(): StepRun[] {
    return this.isWritten ? [] : [this.round()];
  }

  /** The way as it is once the mail of this step is accepted, up to the next step that needs a store. */
  pastMail(messageId: string): Walk {
    const ahead = new Walk(this.opened, this.claim, this.now);
    ahead.steps.push(...this.steps);
    ahead.tasks.push(...this.tasks);
    ahead.stand(this);
    ahead.done({ outcome: 'done', messageId });
    ahead.toEffect();
    return ahead;
  }

  /** Goes on from `ahead`, whose round was written with its mail. */
  goOnFrom(ahead: Walk): void {
    this.stand(ahead);
    this.from = ahead.at ?? ahead.from;
    this.steps.length = 0;
    this.tasks.length = 0;
    this.isWritten = ahead.end !== null;
  }

  /** Gives the round up: another process took it, or its contact left. */
  drop(): void {
    this.isWritten = true;
  }

  /** The round as far as it came. */
  round(): StepRun {
    const { enrollment } = this.opened;
    const { kind, id, token } = this.claim;
    const end: StepRunEnd =
      this.end ??
      (this.at === null ? { kind: 'completed', at: this.now } : { kind: 'goes_on', step: this.at, since: this.since });
    return {
      enrollmentId: enrollment.id,
      from: this.from,
      claim: { kind, id, token },
      steps: this.steps,
      end,
      tasks: this.tasks,
    };
  }

  private stand({ from, at, since, end }: Walk): void {
    this.from = from;
    this.at = at;
    this.since = since;
    this.end = end;
  }

  /** The step that is next; undefined behind the last one. */
  private here(): NumberedStep | undefined {
    const here = this.at === null ? undefined : this.numbered[this.at - 1];
    if (!here) this.end ??= { kind: 'completed', at: this.now };
    return here;
  }

  private outcomeOf(here: NumberedStep): EnrollmentStep['outcome'] {
    if ('next' in here) return 'done';
    return holds(here.step.on, this.facts) ? 'then' : 'else';
  }
}

/** What ends a round before its first step: the contact is no longer to be written to, or the journey is paused. */
function endBefore({ contact, suppressed, journey }: OpenedEnrollment, at: number): StepRunEnd | null {
  if (!contact) return { kind: 'left', reason: 'deleted', at };
  if (contact.status !== 'subscribed')
    return { kind: 'left', reason: refusingStatus(contact.status) ?? 'unsubscribed', at };
  if (suppressed) return { kind: 'left', reason: 'suppressed', at };
  return journey.status === 'active' ? null : { kind: 'parked' };
}
