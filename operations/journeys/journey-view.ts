import type { Journey, JourneyStep } from '../../domain/journeys/journey';
import { numberSteps } from '../../domain/journeys/journey-flow';
import { exactDuration } from '../../lib/duration';
import type { Stores } from '../../stores/ports';
import type { SalesSum } from '../../stores/ports/conversion-store';
import { NO_COUNT, type JourneyCounts } from './journey-counts';
import { goalLabel, triggerLabel, type JourneyNames } from './journey-labels';
import { journeyTree } from './journey-tree';
import { writtenCondition } from './journey-written';
import { facts, type Session, status, type View } from '../definition';

/** A journey and what is shown of it besides its definition. */
export interface ShownJourney {
  journey: Journey;
  names: JourneyNames;
  /** Only for those who are to see it. */
  secret?: string;
  sales?: SalesSum;
  counts?: JourneyCounts;
  /** What is kept for its next version, as JSON. */
  draft?: object | null;
}

/** A journey with the names of what it names by id. */
export async function showJourney(
  { stores }: Session,
  journey: Journey,
  more: Omit<ShownJourney, 'journey' | 'names'> = {},
): Promise<ShownJourney> {
  const { workspaceId } = journey;
  return { journey, names: await namesOf(stores, workspaceId), ...more };
}

/** The names of what journeys of a workspace name by id. */
export const namesOf = async (
  { domains, audiences }: Pick<Stores, 'domains' | 'audiences'>,
  workspaceId: number,
): Promise<JourneyNames> => ({
  domains: new Map((await domains.list(workspaceId)).map(({ id, domain }) => [id, domain])),
  audiences: new Map((await audiences.list(workspaceId)).map(({ id, name }) => [id, name])),
});

/** A journey of a list as JSON. */
export const presentJourney = (of: Journey) =>
  facts(of, 'id', 'name', 'status', 'triggerType', 'audienceId', 'goal', 'version', 'createdAt');

/** One journey with its steps. */
export const JOURNEY_SHOWN = {
  json: ({ journey, names, secret, sales, counts }: ShownJourney) => ({
    ...presentJourney(journey),
    ...(secret !== undefined && { secret }),
    ...sales,
    ...(counts && { contacts: { ...counts.contacts, on_earlier_versions: counts.earlier } }),
    steps: presentSteps(journey.steps, names, counts),
  }),
  text: ({ journey, names, secret, sales, counts }: ShownJourney, view: View) => {
    const figures = Object.entries({ ...counts?.contacts, ...sales });
    const head = view.details(journey, {
      id: 'id',
      name: 'name',
      status: status('status'),
      trigger: (of) => triggerLabel(of, names),
      goal: ({ goal }) => goal && goalLabel(goal),
      version: 'version',
      ...(secret !== undefined && { secret: () => secret }),
      created: 'createdAt',
      ...Object.fromEntries(figures.map(([title, figure]) => [title, () => figure])),
      ...(counts && counts.earlier > 0 && { 'on earlier versions': () => counts.earlier }),
    });
    return `${head}\n${journeyTree(journey, names, counts)}`;
  },
};

/** Steps as JSON in the fields of the file, each with its number. */
function presentSteps(steps: readonly JourneyStep[], names: JourneyNames, counts?: JourneyCounts): object[] {
  const numbers = new Map(numberSteps(steps).map(({ step, number }) => [step, number]));
  const present = (step: JourneyStep): object => {
    const number = numbers.get(step) ?? 0;
    return {
      step: number,
      ...presentStep(step, names),
      ...(step.kind === 'branch' && { then: step.then.map(present), else: step.else.map(present) }),
      ...(counts && { counts: counts.steps.get(number) ?? NO_COUNT }),
    };
  };
  return steps.map(present);
}

/** A step in the fields of the file, without the ways of a branch. */
export function presentStep(step: JourneyStep, names: JourneyNames): object {
  switch (step.kind) {
    case 'email': {
      const { domainId, subject, html, text } = step;
      const domain = names.domains.get(domainId) ?? null;
      return { type: 'email', domain_id: domainId, domain, subject, html, text };
    }
    case 'wait':
      return { type: 'wait', for: exactDuration(step.ms) };
    case 'webhook':
      return { type: 'webhook', url: step.url };
    case 'add_to_audience': {
      const audience = names.audiences.get(step.audienceId) ?? null;
      return { type: 'add_to_audience', audience_id: step.audienceId, audience };
    }
    case 'branch':
      return { type: 'branch', if: writtenCondition(step.on) };
  }
}
