import type { BranchCondition, Journey, JourneyGoal, JourneyStep } from '../../domain/journeys/journey';
import { exactDuration } from '../../lib/duration';

/** The names of what the steps of a journey name by id; an id stands for what has gone. */
export interface JourneyNames {
  domains: ReadonlyMap<number, string>;
  audiences: ReadonlyMap<number, string>;
}

const nameOf = (names: ReadonlyMap<number, string>, id: number): string => names.get(id) ?? String(id);

/** A step in one line. */
export function stepLabel(step: JourneyStep, { domains, audiences }: JourneyNames): string {
  switch (step.kind) {
    case 'email':
      return `email "${step.subject}" from ${nameOf(domains, step.domainId)}`;
    case 'wait':
      return `wait ${exactDuration(step.ms)}`;
    case 'webhook':
      return `webhook ${step.url}`;
    case 'add_to_audience':
      return `add to audience ${nameOf(audiences, step.audienceId)}`;
    case 'branch':
      return questionOf(step.on);
  }
}

const questionOf = (on: BranchCondition): string =>
  on.kind === 'goal' ? 'goal reached?' : `email of step ${on.step} ${on.kind}?`;

/** What makes contacts enter it. */
export function triggerLabel({ triggerType, audienceId }: Journey, { audiences }: JourneyNames): string {
  return audienceId === null ? triggerType : `${triggerType}: ${nameOf(audiences, audienceId)}`;
}

export const goalLabel = ({ event, ends }: JourneyGoal): string => (ends ? `${event}, ends the journey` : event);
