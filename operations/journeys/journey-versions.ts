import type { Journey, JourneyVersion } from '../../domain/journeys/journey';
import { stepChanges, type StepChange } from '../../domain/journeys/journey-diff';
import { countSteps } from '../../domain/journeys/journey-flow';
import { printable } from '../../lib/printable';
import type { Stores } from '../../stores/ports';
import { goalLabel, stepLabel, type JourneyNames } from './journey-labels';
import { namesOf, presentStep } from './journey-view';
import { facts, journey, limit, operation, option, whole, workspace, type View } from '../definition';

interface ShownVersion {
  version: JourneyVersion;
  /** Null: it is the first. */
  before: JourneyVersion | null;
}

async function readVersions(stores: Stores, of: Journey, newest: number, most: number): Promise<ShownVersion[]> {
  const read = async (n: number): Promise<JourneyVersion | null> =>
    n < 1 ? null : stores.journeys.version(of.workspaceId, of.id, n);
  const shown: ShownVersion[] = [];
  let version = await read(newest);
  while (version && shown.length < most) {
    const before = await read(version.version - 1);
    shown.push({ version, before });
    version = before;
  }
  return shown;
}

const changesOf = ({ version, before }: ShownVersion): StepChange[] => (before ? stepChanges(before, version) : []);
const goalBefore = ({ version, before }: ShownVersion): JourneyVersion['goal'] => (before ?? version).goal;

const presentChange = ({ change, before, now }: StepChange, names: JourneyNames) => ({
  change,
  before: before && { step: before.number, ...presentStep(before.step, names) },
  now: now && { step: now.number, ...presentStep(now.step, names) },
});

const SIGNS = { came: '+', went: '-', changed: '~' } as const;

function changeText({ change, before, now }: StepChange, names: JourneyNames, view: View): string {
  const shown = now ?? before;
  if (!shown) return '';
  const tone = change === 'came' ? 'good' : change === 'went' ? 'bad' : 'warn';
  return `  ${view.paint(tone, SIGNS[change])} ${shown.number} ${printable(stepLabel(shown.step, names))}\n`;
}

/** `kurir journey versions`. */
export const versions = operation('journey.versions', 'viewer', {
  summary: 'list the versions of a journey, newest first, each with the steps that were added, removed or changed',
  arguments: { workspace, journey },
  options: {
    limit: limit('versions', 20, 100),
    before: option(
      '<version>',
      'only versions before this one: next_before of the previous page',
      whole(1, 1_000_000_000),
    ),
  },
  examples: [['journey versions "Toko Melati" Sambutan', 'what changed and when']],
  handler: async ({ journey: of, limit: most, before }, { stores }) => {
    const newest = Math.min(of.version, (before ?? of.version + 1) - 1);
    const data = await readVersions(stores, of, newest, most);
    const last = data.at(-1)?.version.version ?? 1;
    return { data, names: await namesOf(stores, of.workspaceId), next_before: last > 1 ? last : null };
  },
  json: ({ data, names, next_before: next }) => ({
    data: data.map((one) => ({
      ...facts(one.version, 'version', 'createdAt', 'goal'),
      goal_before: goalBefore(one),
      steps: countSteps(one.version.steps),
      changes: changesOf(one).map((change) => presentChange(change, names)),
    })),
    next_before: next,
  }),
  text: ({ data, names, next_before: next }, view) =>
    data
      .map((one) => {
        const { version, createdAt, goal } = one.version;
        const old = goalBefore(one);
        const isGoalNew = JSON.stringify(goal) !== JSON.stringify(old);
        const goalText = isGoalNew ? `  ~ goal: ${goal ? goalLabel(goal) : 'none'}\n` : '';
        const changes = changesOf(one).map((change) => changeText(change, names, view));
        return `${version}  ${view.time(createdAt)}\n${goalText}${changes.join('')}`;
      })
      .join('') + (next === null ? '' : `More: --before ${next}\n`),
});
