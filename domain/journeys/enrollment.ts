import { MINUTE, SECOND } from '../../lib/clock';
import { refusingStatus, type Contact } from '../contacts/contact';
import type { Agreed } from '../contacts/opt-in';
import { derivedId } from '../derived-id';
import type { GOAL_EVENTS, Journey, JourneyGoal, JourneyStep } from './journey';

/** The due work of one enrollment; its id is that of the enrollment. */
export const STEP_WORK = 'journey-step';
/** The due work that schedules the steps of a journey that goes on; its id is that of the journey. */
export const RESUME_WORK = 'journey-resume';
/** The due work of one webhook step; its id is `<enrollment>:<step>`. */
export const POST_WORK = 'journey-post';

/** The due work that takes an open or a click as a goal; its id is that of the signal. */
export const GOAL_WORK = 'journey-goal';
/** How long an open or a click waits for signs of a machine, ms. */
export const GOAL_WAIT = 5 * SECOND;

/** Why a contact left a journey before its end (docs/contract.md#leaving-a-journey). */
export const LEAVE_REASONS = [
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'deleted',
  'removed',
  'goal',
] as const;
export type LeaveReason = (typeof LEAVE_REASONS)[number];

/**
 * A contact in a journey; a contact enters each journey at most once (docs/contract.md#enroll-a-contact). Times are ms.
 */
export interface Enrollment {
  id: string;
  workspaceId: number;
  journeyId: number;
  /** The version of the journey that it began. */
  version: number;
  contactId: number;
  status: 'active' | 'completed' | 'left';
  /** Why it left; null unless it did. */
  reason: LeaveReason | null;
  /** The number of the next step, from 1; of the last one that was reached, once it ended. */
  step: number;
  /** The minute of the step before, from which a wait counts; of the enrollment before the first. */
  since: number;
  /** When the next step is due; null once it ended. */
  dueAt: number | null;
  /** When it reached the goal, or null. */
  goalAt: number | null;
  enrolledAt: number;
  endedAt: number | null;
}

/** A step that an enrollment has done. */
export interface EnrollmentStep {
  /** Its number; numbers grow along every way through a journey. */
  step: number;
  type: JourneyStep['kind'];
  at: number;
  /** `then` and `else` are the ways of a branch. */
  outcome: 'done' | 'refused' | 'then' | 'else';
  /** Why it was refused. */
  reason: string | null;
  /** Of a mail. */
  messageId: string | null;
}

/** A new enrollment at its first step. */
export const newEnrollment = (
  fields: Pick<Enrollment, 'id' | 'workspaceId' | 'journeyId' | 'version' | 'contactId'>,
  at: number,
): Enrollment => ({
  ...fields,
  status: 'active',
  reason: null,
  step: 1,
  since: at,
  dueAt: fullMinute(at),
  goalAt: null,
  enrolledAt: at,
  endedAt: null,
});

/** The first full minute not before `at`; both ms. Steps are due on the minute. */
export const fullMinute = (at: number): number => Math.ceil(at / MINUTE) * MINUTE;

/** The minute that `at` is in; both ms. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE;

/** A wait that began in the future, by a clock that was ahead, begins now and lasts as long. */
export const backToNow = (
  { since, dueAt }: { since: number; dueAt: number },
  now: number,
): { since: number; dueAt: number } => ({ since: now, dueAt: fullMinute(dueAt - (since - now)) });

/** The id of the enrollment that a trigger makes. */
export const triggeredId = (journeyId: number, contactId: number, at: number): string =>
  derivedId(at, `journey ${journeyId} contact ${contactId}`);

/** The id of the mail of a step, due at `dueAt` (ms): always the same one, so that a repeat makes no second message. */
export const journeyMessageId = (enrollmentId: string, step: number, dueAt: number): string =>
  derivedId(dueAt, `enrollment ${enrollmentId} step ${step}`);

/** True when the event is what the goal asks for. A click counts as an open. */
const meetsGoal = (goal: JourneyGoal, event: (typeof GOAL_EVENTS)[number]): boolean =>
  goal.event === event || (goal.event === 'open' && event === 'click');

/**
 * What an event does to an enrollment that has not reached its goal and did not leave: it reaches the goal, which may
 * end the enrollment. Null: nothing.
 */
export function goalReached(
  goal: JourneyGoal | null | undefined,
  event: (typeof GOAL_EVENTS)[number],
  { status }: Pick<Enrollment, 'status'>,
): { ends: boolean } | null {
  return goal && meetsGoal(goal, event) ? { ends: goal.ends && status === 'active' } : null;
}

/** Why a contact is not enrolled, in the order of the checks (docs/contract.md#order-of-enrollment-checks). */
export type EnrollRefusal = 'no_journey' | 'not_api' | 'not_active' | 'suppressed' | 'unsubscribed';

/** The facts that decide on an enrollment, as its commit sees them. */
export interface EnrollmentView {
  /** Who enrolls it, by a call of its own. The operator may do so in a journey of any trigger. */
  by: Agreed['source'];
  journey: Pick<Journey, 'triggerType' | 'status'> | null;
  suppressed: boolean;
  /** Null: the address has no contact yet. */
  contact: Pick<Contact, 'status'> | null;
}

/** The first reason to refuse an enrollment; null when there is none. */
export function refusalOf({ by, journey, suppressed, contact }: EnrollmentView): EnrollRefusal | null {
  if (!journey) return 'no_journey';
  if (by === 'api' && journey.triggerType !== 'api') return 'not_api';
  if (journey.status !== 'active') return 'not_active';
  if (suppressed) return 'suppressed';
  return contact && refusingStatus(contact.status) !== null ? 'unsubscribed' : null;
}
