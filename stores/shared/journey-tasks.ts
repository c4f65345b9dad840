import { RESUME_WORK, STEP_WORK, type Enrollment, type EnrollmentStep } from '../../domain/journeys/enrollment';
import type { JourneyVersion } from '../../domain/journeys/journey';
import type { JourneyPost } from '../../domain/journeys/journey-post';
import { numberSteps } from '../../domain/journeys/journey-flow';
import type { OutgoingRecord } from '../../streams/records';
import type { DueTask } from '../ports/due-tasks';

/** The due task of an enrollment's next step. */
export const stepTask = ({ id, workspaceId, journeyId, dueAt, enrolledAt }: Enrollment): DueTask => ({
  kind: STEP_WORK,
  id,
  workspaceId,
  lane: `journey:${journeyId}`,
  dueAt: dueAt ?? enrolledAt,
  payload: {},
});

/**
 * The task that resumes a journey. It looks twice, since a step that met the pause may be parked right after the first
 * look.
 */
export const resumeTask = (workspaceId: number, journeyId: number, at: number): DueTask => ({
  kind: RESUME_WORK,
  id: String(journeyId),
  workspaceId,
  lane: '',
  dueAt: at,
  payload: { after: 0, again: true },
});

/** The posts of the webhook steps among those that an enrollment did. */
export const newPosts = (
  enrollmentId: string,
  { workspaceId, journeyId, contactId }: Pick<Enrollment, 'workspaceId' | 'journeyId' | 'contactId'>,
  steps: readonly EnrollmentStep[],
): JourneyPost[] =>
  steps
    .filter(({ type }) => type === 'webhook')
    .map(({ step, at: createdAt }) => ({
      enrollmentId,
      step,
      workspaceId,
      journeyId,
      contactId,
      createdAt,
      state: 'waiting' as const,
      attempts: [],
    }));

/** The record of a new enrollment. */
export const enrollmentRecord = ({ id, workspaceId, journeyId, contactId }: Enrollment): OutgoingRecord => ({
  topic: 'journeys.enrollments',
  key: String(contactId),
  value: { enrollmentId: id, workspaceId, journeyId, contactId },
});

/** The content of one mail of a version, read at the hand-off. */
export interface JourneyMail {
  step: number;
  html: string;
  text: string | null;
}

/** The mails of a version, each with the number of its step. */
export const mailsOf = ({ steps }: Pick<JourneyVersion, 'steps'>): JourneyMail[] =>
  numberSteps(steps).flatMap(({ number, step }) =>
    step.kind === 'email' ? [{ step: number, html: step.html, text: step.text }] : [],
  );

/** True when a branch of the version asks for opens or clicks. */
export const asksForSignals = ({ steps }: Pick<JourneyVersion, 'steps'>): boolean =>
  numberSteps(steps).some(({ step }) => step.kind === 'branch' && step.on.kind !== 'goal');
