import type { Contact } from '../../domain/contacts/contact';
import {
  GOAL_WAIT,
  goalReached,
  newEnrollment,
  STEP_WORK,
  type Enrollment,
  type EnrollmentStep,
} from '../../domain/journeys/enrollment';
import type { GOAL_EVENTS, Journey, JourneyVersion } from '../../domain/journeys/journey';
import { stepRunChange } from '../../domain/journeys/step-run-end';
import { Walk, type EffectStep } from './walk';

/** What a contact does with every mail: each holds what the one before it does, but for `nothing`. */
export const ASSUMPTIONS = ['nothing', 'opens', 'clicks', 'buys'] as const;
export type Assumption = (typeof ASSUMPTIONS)[number];

type GoalEvent = (typeof GOAL_EVENTS)[number];
/** What is assumed, as events; a sale is linked to a click. */
const EVENTS: Readonly<Record<Assumption, readonly GoalEvent[]>> = {
  nothing: [],
  opens: ['open'],
  clicks: ['click'],
  buys: ['click', 'conversion'],
};

export interface DryRun {
  journey: Pick<Journey, 'id' | 'workspaceId' | 'name'>;
  version: Pick<JourneyVersion, 'steps' | 'goal'>;
  contact: Contact;
  suppressed: boolean;
  /** When it enters, ms. */
  at: number;
  assume: Assumption;
  /** How long after a mail it does that, ms. */
  after: number;
  /** Why a step that needs a store is refused; null: it is done. */
  refusal: (step: EffectStep) => string | null;
}

/** Something that the contact is assumed to do with the mail of a step. */
export interface DryEvent {
  at: number;
  event: GoalEvent;
  step: number;
}

export interface DryPath {
  enrollment: Enrollment;
  steps: readonly EnrollmentStep[];
  events: readonly DryEvent[];
}

/** Something that will happen: a round sees all that happened until then. */
type Pending = { at: number } & ({ kind: 'signal'; what: DryEvent } | { kind: 'goal'; what: DryEvent });

const CLAIM = { kind: STEP_WORK, id: 'dry-run', token: '' };
const MAIL = 'dry-run';

/**
 * Walks a contact through a version of a journey in virtual time, from one due time to the next. What is decided is
 * decided by the code that takes real steps: Walk, stepRunChange and goalReached. Writes nothing, and sends nothing.
 */
export function dryRun(run: DryRun): DryPath {
  const { journey, contact, at } = run;
  const ids = {
    id: CLAIM.id,
    workspaceId: journey.workspaceId,
    journeyId: journey.id,
    version: 0,
    contactId: contact.id,
  };
  const path = new Path(run, newEnrollment(ids, at));
  while (path.enrollment.dueAt !== null) path.goOn(path.enrollment.dueAt);
  return path;
}

class Path implements DryPath {
  readonly steps: EnrollmentStep[] = [];
  readonly events: DryEvent[] = [];
  private readonly pending: Pending[] = [];

  constructor(
    private readonly run: DryRun,
    public enrollment: Enrollment,
  ) {}

  /** Takes the steps that are due, unless what happened before has ended the enrollment. */
  goOn(now: number): void {
    this.happenUntil(now);
    if (this.enrollment.status !== 'active') return;
    const { journey, version, contact, suppressed } = this.run;
    const numbersOf = (...kinds: GoalEvent[]): number[] =>
      this.events.flatMap(({ event, step }) => (kinds.includes(event) ? [step] : []));
    const walk = new Walk(
      {
        enrollment: this.enrollment,
        journey: { name: journey.name, status: 'active' },
        version,
        contact,
        suppressed,
        opened: numbersOf('open'),
        clicked: numbersOf('click'),
      },
      CLAIM,
      now,
    );
    this.takeEffects(walk, now);
    const round = walk.round();
    const notBefore = this.steps.at(-1)?.at ?? this.enrollment.enrolledAt;
    this.steps.push(...round.steps);
    this.enrollment = { ...this.enrollment, ...stepRunChange(round, notBefore).enrollment };
  }

  private takeEffects(walk: Walk, now: number): void {
    for (let effect = walk.toEffect(); effect; effect = walk.toEffect()) {
      const { number, step } = effect;
      const reason = this.run.refusal(step);
      if (reason !== null) walk.done({ outcome: 'refused', reason });
      else if (step.kind === 'email') {
        walk.done({ outcome: 'done', messageId: MAIL });
        this.expect(number, now + this.run.after);
      } else walk.done({ outcome: 'done' });
    }
  }

  /** What the contact does with a mail. An open or a click counts for the goal when it is known to be no machine's. */
  private expect(step: number, at: number): void {
    for (const event of EVENTS[this.run.assume]) {
      const what = { at, event, step };
      this.pending.push({ kind: 'signal', at, what });
      this.pending.push({ kind: 'goal', at: event === 'conversion' ? at : at + GOAL_WAIT, what });
    }
    this.pending.sort((a, b) => a.at - b.at);
  }

  private happenUntil(now: number): void {
    for (
      let [next] = this.pending;
      next && next.at <= now && this.enrollment.status === 'active';
      [next] = this.pending
    ) {
      this.pending.shift();
      if (next.kind === 'signal') this.events.push(next.what);
      else this.takeGoal(next.what, next.at);
    }
  }

  private takeGoal({ event, at }: DryEvent, known: number): void {
    const outcome = this.enrollment.goalAt === null && goalReached(this.run.version.goal, event, this.enrollment);
    if (!outcome) return;
    const end = { status: 'left', reason: 'goal', dueAt: null, endedAt: known } as const;
    this.enrollment = { ...this.enrollment, goalAt: at, ...(outcome.ends && end) };
  }
}
