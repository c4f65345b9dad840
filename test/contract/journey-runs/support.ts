import { STEP_WORK, type Enrollment } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyStep } from '../../../domain/journeys/journey';
import type { ClaimedTask } from '../../../stores/ports/due-tasks';
import type { EnrolledContact, StepRun, OpenedEnrollment } from '../../../stores/ports/journey-runs';
import { aContact, aWorkspace } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aJourney, anEnrollment } from '../../support/marketing';
import type { Subject } from '../harness';
import { at, present } from '../helpers';

export const MAIL: JourneyStep = { kind: 'email', domainId: 1, subject: 'Halo', html: '<p>Halo</p>', text: null };
export const WAIT: JourneyStep = { kind: 'wait', ms: 3_600_000 };

export const refOf = ({ workspaceId, id }: Journey) => ({ workspaceId, id });

export async function newJourney(subject: Subject, overrides: Parameters<typeof aJourney>[1] = {}): Promise<Journey> {
  const { id } = await subject.stores.workspaces.create(aWorkspace());
  return subject.stores.journeys.create(aJourney(id, { steps: [MAIL, WAIT, MAIL], ...overrides }));
}

/** Enrolls new contacts, and returns their enrollments in the order of their contacts. */
export async function enrollSome(subject: Subject, journey: Journey, count = 1): Promise<EnrolledContact[]> {
  for (let n = 0; n < count; n += 1) {
    await subject.stores.journeyRuns.enroll(anEnrollment(journey, aContact(journey.workspaceId)));
  }
  return listAll(subject, journey);
}

export const listAll = (subject: Subject, journey: Journey): Promise<EnrolledContact[]> =>
  subject.stores.journeyRuns.list(refOf(journey), 0, 1_000);

export const oneOf = async (subject: Subject, journey: Journey): Promise<EnrolledContact> =>
  at(await listAll(subject, journey), 0);

/** Claims the due steps of the journey. Those of other journeys stay claimed for a moment only. */
export async function claimSteps(subject: Subject, journey: Journey, now = TEST_START): Promise<ClaimedTask[]> {
  const lane = `journey:${journey.id}`;
  return subject.stores.dueTasks.claim({ kind: STEP_WORK, lane, now, leaseUntil: now + 1_000, limit: 1_000 });
}

export const openOne = async (subject: Subject, { id }: Pick<Enrollment, 'id'>): Promise<OpenedEnrollment> =>
  present((await subject.stores.journeyRuns.open([id]))[0]);

/** A round that does the mail of step 1, and then waits. */
export const aRound = (task: ClaimedTask, overrides: Partial<StepRun> = {}): StepRun => ({
  enrollmentId: task.id,
  from: 1,
  claim: { kind: task.kind, id: task.id, token: task.token },
  steps: [{ step: 1, type: 'email', at: TEST_START, outcome: 'done', reason: null, messageId: `m-${task.id}` }],
  end: { kind: 'waits', step: 2, since: TEST_START, dueAt: TEST_START + 3_600_000 },
  tasks: [],
  ...overrides,
});
