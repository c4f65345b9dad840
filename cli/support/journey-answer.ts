import type { Journey, JourneyGoal, JourneyStep } from '../../domain/journeys/journey';
import { numberSteps } from '../../domain/journeys/journey-flow';
import { exactDuration } from '../../lib/duration';
import type { SalesSum } from '../../stores/ports/conversion-store';
import type { Session } from './command';
import type { Input } from './input';
import { reference } from './input';
import { NO_COUNT, type JourneyCounts } from './journey-counts';
import { goalLabel, triggerLabel, type JourneyNames } from './journey-labels';
import { journeyTree } from './journey-tree';
import { findJourney, findWorkspace } from './lookups';
import type { Answer } from './output';
import { fields } from './table';
import { jsonTime, showTime } from './times';

/** The arguments of a command about one journey. */
export const JOURNEY_ARGS = [
  ['<workspace>', 'id or name'],
  ['<journey>', 'id or name'],
] as const;

/** Reads which journey is meant; the function finds it, and fails when there is none. */
export function readJourneyArgs(input: Input): (session: Session) => Promise<Journey> {
  const ref = input.arg('workspace', reference);
  const name = input.arg('journey', reference);
  return async ({ stores }) => findJourney(stores, (await findWorkspace(stores, ref)).id, name);
}

/** A journey of a list as JSON. */
export const presentJourney = (journey: Journey) => ({
  id: journey.id,
  name: journey.name,
  status: journey.status,
  trigger_type: journey.triggerType,
  audience_id: journey.audienceId,
  goal: journey.goal,
  version: journey.version,
  created_at: jsonTime(journey.createdAt),
});

export const goalText = (goal: JourneyGoal | null): string | null => goal && goalLabel(goal);

/** The names of what a journey of the workspace may name by id. */
export async function namesIn({ stores }: Session, workspaceId: number): Promise<JourneyNames> {
  return {
    domains: new Map((await stores.domains.list(workspaceId)).map(({ id, domain }) => [id, domain])),
    audiences: new Map((await stores.audiences.list(workspaceId)).map(({ id, name }) => [id, name])),
  };
}

/** What is shown of a journey besides its definition. */
interface More {
  /** Only for those who are to see it. */
  secret?: string;
  sales?: SalesSum;
  counts?: JourneyCounts;
}

/** One journey with its steps. */
export async function answerJourney(session: Session, journey: Journey, more: More = {}): Promise<Answer> {
  const { secret, sales, counts } = more;
  const names = await namesIn(session, journey.workspaceId);
  const head = fields(session.paint, [
    ['id', journey.id],
    ['name', journey.name],
    ['status', journey.status, 'status'],
    ['trigger', triggerLabel(journey, names)],
    ['goal', goalText(journey.goal)],
    ['version', journey.version],
    ...(secret === undefined ? [] : [['secret', secret] as const]),
    ['created', showTime(journey.createdAt)],
    ...Object.entries({ ...counts?.contacts, ...sales }),
    ...(counts && counts.earlier > 0 ? [['on earlier versions', counts.earlier] as const] : []),
  ]);
  return {
    text: `${head}\n${journeyTree(journey, names, counts)}`,
    json: {
      ...presentJourney(journey),
      ...(secret !== undefined && { secret }),
      ...sales,
      ...(counts && { contacts: { ...counts.contacts, on_earlier_versions: counts.earlier } }),
      steps: presentSteps(journey.steps, names, counts),
    },
  };
}

/** Steps as JSON in the fields of the file, each with its number. */
function presentSteps(steps: readonly JourneyStep[], names: JourneyNames, counts?: JourneyCounts): object[] {
  const numbers = new Map(numberSteps(steps).map(({ step, number }) => [step, number]));
  const present = (step: JourneyStep): object => {
    const number = numbers.get(step) ?? 0;
    return { step: number, ...written(step), ...(counts && { counts: counts.steps.get(number) ?? NO_COUNT }) };
  };
  const written = (step: JourneyStep): object => {
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
        return {
          type: 'branch',
          if: step.on.kind === 'goal' ? 'goal' : { [step.on.kind]: step.on.step },
          then: step.then.map(present),
          else: step.else.map(present),
        };
    }
  };
  return steps.map(present);
}
