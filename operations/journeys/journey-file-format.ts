import type { BranchCondition, JourneyDefinition, JourneyStep } from '../../domain/journeys/journey';
import { exactDuration } from '../../lib/duration';
import type { JourneyNames } from './journey-labels';

/** A step as the file of a journey has it. */
export type WrittenStep =
  | { type: 'email'; domain: string; subject: string; html: string; text?: string }
  | { type: 'wait'; for: string }
  | { type: 'webhook'; url: string }
  | { type: 'add_to_audience'; audience: string }
  | { type: 'branch'; if: WrittenCondition; then: WrittenStep[]; else: WrittenStep[] };

export type WrittenCondition = 'goal' | { opened: number } | { clicked: number };

/** A journey as its file has it (docs/journeys.md#the-file). */
export interface WrittenJourney {
  name: string;
  trigger: string;
  audience?: string;
  goal?: { event: string; ends: boolean };
  steps: WrittenStep[];
}

/** The name of what an id means, if reading it finds that again; otherwise the id. */
function nameOf(names: ReadonlyMap<number, string>, id: number): string {
  const name = names.get(id);
  const same = [...names.values()].filter((other) => other.toLowerCase() === name?.toLowerCase());
  return name === undefined || same.length > 1 || /^\d+$/.test(name) ? String(id) : name;
}

/** A journey as it is written in a file: reading it makes the same journey again. */
export function writtenJourney(
  { name, triggerType, audienceId, goal, steps }: JourneyDefinition,
  names: JourneyNames,
): WrittenJourney {
  return {
    name,
    trigger: triggerType,
    ...(audienceId !== null && { audience: nameOf(names.audiences, audienceId) }),
    ...(goal && { goal: { event: goal.event, ends: goal.ends } }),
    steps: steps.map((step) => writtenStep(step, names)),
  };
}

function writtenStep(step: JourneyStep, names: JourneyNames): WrittenStep {
  switch (step.kind) {
    case 'email': {
      const { subject, html, text } = step;
      const domain = nameOf(names.domains, step.domainId);
      return { type: 'email', domain, subject, html, ...(text !== null && { text }) };
    }
    case 'wait':
      return { type: 'wait', for: exactDuration(step.ms) };
    case 'webhook':
      return { type: 'webhook', url: step.url };
    case 'add_to_audience':
      return { type: 'add_to_audience', audience: nameOf(names.audiences, step.audienceId) };
    case 'branch': {
      const way = (steps: readonly JourneyStep[]): WrittenStep[] => steps.map((one) => writtenStep(one, names));
      return { type: 'branch', if: writtenCondition(step.on), then: way(step.then), else: way(step.else) };
    }
  }
}

/** The condition of a branch as the file has it. */
export function writtenCondition(on: BranchCondition): WrittenCondition {
  if (on.kind === 'goal') return 'goal';
  return on.kind === 'opened' ? { opened: on.step } : { clicked: on.step };
}
