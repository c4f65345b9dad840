import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import type { TaskBatch } from '../due-work/due-work';
import { DUE_WORK } from '../../schemas/due-work/table';
import { takeMailSteps, type AtMail, type MailStepDeps } from './mail-steps';
import { addMember } from '../../operations/contacts/change-audience';
import { NO_AUDIENCE } from '../../operations/journeys/step-refusals';
import { Walk } from '../../operations/journeys/walk';

export interface StepDeps extends MailStepDeps {
  stores: MailStepDeps['stores'] & Pick<Stores, 'journeyRuns' | 'dueTasks' | 'audiences'>;
  clock: Clock;
}

/** How long a round may take. After that another process takes the same steps again, which doubles nothing. */
export const STEP_LEASE = DUE_WORK['journey-step'].lease;

/**
 * Takes the steps that are due (docs/architecture.md#journeys): reads a batch at once, and writes its mails in one
 * commit with how far each enrollment came by them; what comes without a mail is written in another. Any number of
 * processes share them.
 */
export const stepWork = (deps: StepDeps): TaskBatch<'journey-step'> => ({
  batch: (claimed) => takeStepRuns(deps, claimed),
});

async function takeStepRuns(deps: StepDeps, claimed: readonly ClaimedTask[]): Promise<void> {
  const { journeyRuns, dueTasks } = deps.stores;
  const opened = await journeyRuns.open(claimed.map(({ id }) => id));
  const now = deps.clock.now();
  const tasks = new Map(claimed.map((task) => [task.id, task]));
  const walks = opened.map((one) => new Walk(one, tasks.get(one.enrollment.id)!, now));
  for (const { enrollment } of opened) tasks.delete(enrollment.id);
  // Those that ended meanwhile.
  await Promise.all([...tasks.values()].map((task) => dueTasks.finish(task)));
  for (let going = walks; going.length > 0;) going = await takeEffects(deps, going, now);
  const rest = walks.flatMap((walk) => walk.rest());
  if (rest.length > 0) await journeyRuns.advance(rest);
}

/** Takes the next step that needs a store of each walk. Returns those that go on behind it. */
async function takeEffects(deps: StepDeps, walks: readonly Walk[], now: number): Promise<Walk[]> {
  const mails: AtMail[] = [];
  const joins: { walk: Walk; audienceId: number }[] = [];
  for (const walk of walks) {
    const effect = walk.toEffect();
    if (!effect) continue;
    const { number, step } = effect;
    if (step.kind === 'email') mails.push({ walk, number, step });
    else joins.push({ walk, audienceId: step.audienceId });
  }
  if (mails.length > 0) await takeMailSteps(deps, mails);
  await Promise.all(joins.map(({ walk, audienceId }) => join(deps, walk, audienceId, now)));
  return [...mails, ...joins].map(({ walk }) => walk).filter(({ isOver }) => !isOver);
}

/** A member stays one: a repeat joins nobody twice, and asks nobody to confirm twice. */
async function join({ stores }: StepDeps, walk: Walk, audienceId: number, now: number): Promise<void> {
  const { workspaceId, contactId, dueAt, enrolledAt } = walk.opened.enrollment;
  const member = { contactId, askedSince: dueAt ?? enrolledAt };
  const { kind } = await addMember(stores.audiences, { workspaceId, id: audienceId }, member, now);
  if (kind === 'no_contact') walk.leave('deleted');
  else if (kind === 'no_audience') walk.done({ outcome: 'refused', reason: NO_AUDIENCE });
  else walk.done({ outcome: 'done' });
}
