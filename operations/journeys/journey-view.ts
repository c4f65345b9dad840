import type { Journey, JourneyStep } from '../../domain/journeys/journey';
import { numberSteps } from '../../domain/journeys/journey-flow';
import { exactDuration } from '../../lib/duration';
import type { Stores } from '../../stores/ports';
import type { SalesSum } from '../../stores/ports/conversion-store';
import { NO_COUNT, type JourneyCounts, type StepCount } from './journey-counts';
import { goalLabel, triggerLabel, type JourneyNames } from './journey-labels';
import { journeyTree } from './journey-tree';
import { writtenCondition, type WrittenCondition } from './journey-file-format';
import { facts, type Session, status, type View } from '../definition';

/** A step in the fields of the file, but a branch. */
type PlainStep =
  | { type: 'email'; domain_id: number; domain: string | null; subject: string; html: string; text: string | null }
  | { type: 'wait'; for: string }
  | { type: 'webhook'; url: string }
  | { type: 'add_to_audience'; audience_id: number; audience: string | null };
/** A step in the fields of the file, without the ways of a branch. */
export type StepFields = PlainStep | { type: 'branch'; if: WrittenCondition };
/** A step with its number, and the contacts at it. */
export type ShownStep = { step: number; counts?: StepCount } & (
  PlainStep | { type: 'branch'; if: WrittenCondition; then: ShownStep[]; else: ShownStep[] }
);

/** A journey and what is shown of it besides its definition. */
export interface ShownJourney {
  journey: Journey;
  names: JourneyNames;
  /** Only for those who are to see it. */
  secret?: string;
  sales?: SalesSum;
  counts?: JourneyCounts;
}

/** A journey with the names of what it names by id. */
export async function showJourney<M extends object>({ stores }: Session, journey: Journey, more: M) {
  return { journey, names: await namesOf(stores, journey.workspaceId), ...more };
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

/** One journey with its steps; `more` stands between. */
export const presentShown = <M extends object>({ journey, names, counts }: ShownJourney, more: M) => ({
  ...presentJourney(journey),
  ...more,
  steps: presentSteps(journey.steps, names, counts),
});

/** One journey with its steps, for people. */
export function shownText({ journey, names, secret, sales, counts }: ShownJourney, view: View): string {
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
}

/** Steps as JSON in the fields of the file, each with its number. */
function presentSteps(steps: readonly JourneyStep[], names: JourneyNames, counts?: JourneyCounts): ShownStep[] {
  const numbers = new Map(numberSteps(steps).map(({ step, number }) => [step, number]));
  const present = (step: JourneyStep): ShownStep => {
    const number = numbers.get(step) ?? 0;
    const fields =
      step.kind === 'branch'
        ? { ...presentBranch(step), then: step.then.map(present), else: step.else.map(present) }
        : presentPlain(step, names);
    return { step: number, ...fields, ...(counts && { counts: counts.steps.get(number) ?? NO_COUNT }) };
  };
  return steps.map(present);
}

type BranchStep = Extract<JourneyStep, { kind: 'branch' }>;
const presentBranch = ({ on }: BranchStep) => ({ type: 'branch', if: writtenCondition(on) }) as const;

/** A step in the fields of the file, without the ways of a branch. */
export const presentStep = (step: JourneyStep, names: JourneyNames): StepFields =>
  step.kind === 'branch' ? presentBranch(step) : presentPlain(step, names);

function presentPlain(step: Exclude<JourneyStep, BranchStep>, names: JourneyNames): PlainStep {
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
  }
}
