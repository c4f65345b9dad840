import type { Contact } from '../../domain/contacts/contact';
import type { Agreed } from '../../domain/contacts/opt-in';
import type { Enrollment, EnrollmentStep, EnrollRefusal, LeaveReason } from '../../domain/journeys/enrollment';
import type { GOAL_EVENTS, Journey, JourneyVersion } from '../../domain/journeys/journey';
import type { JudgedStepRun } from '../../domain/journeys/step-run-end';
import type { NewContact } from './contact-store';
import type { DueTask, TaskClaim } from './due-tasks';

export interface JourneyRef {
  workspaceId: number;
  id: number;
}

export interface NewEnrollment {
  /** The UUIDv7 of the enrollment. */
  id: string;
  workspaceId: number;
  journeyId: number;
  contact: NewContact;
  at: number;
  /** Whose word it is that the contact agreed; a new one's consent. */
  agreed: Agreed;
}

export type EnrollOutcome =
  { kind: 'enrolled' } | { kind: 'entered_before' } | { kind: 'refused'; reason: EnrollRefusal };

/** An enrollment with everything that its next steps are decided on, all of one moment. */
export interface OpenedEnrollment {
  enrollment: Enrollment;
  journey: Pick<Journey, 'name' | 'status'>;
  /** The version that it began. Enrollments of the same version share the object. */
  version: Pick<JourneyVersion, 'steps' | 'goal'>;
  /** Null once it was deleted. */
  contact: Contact | null;
  /** On the suppression list of the workspace, or on the global one. */
  suppressed: boolean;
  /** Numbers of the steps whose mail was opened, and clicked; empty when no branch of the version asks. */
  opened: readonly number[];
  clicked: readonly number[];
}

/** What one claim of an enrollment did. */
export interface StepRun extends JudgedStepRun {
  enrollmentId: string;
  /** The due task of the enrollment, as it was claimed. */
  claim: TaskClaim;
  /** Due work of these steps, scheduled in the same commit. */
  tasks: readonly DueTask[];
}

/** A contact of a journey, with the steps it did in order. */
export interface EnrolledContact extends Enrollment {
  /** Null once the contact was deleted. */
  email: string | null;
  steps: EnrollmentStep[];
}

/** Enrollments by their status. */
export type EnrollmentCounts = Record<Enrollment['status'], number>;

/** Contacts at one step of a journey. */
export interface JourneyStepCount {
  /** Its number. */
  step: number;
  /** In the journey, with this step as their next. */
  now: number;
  /** Done with it, also those who left the journey later. */
  passed: number;
  /** Mails that it made; 0 for other steps. */
  sent: number;
  /** Mails that it did not make, since the contact may get none. */
  refused: number;
}

/** The sums of a page of contacts. */
export interface StepCountsPage {
  /** In order; a step that none of them reached is not there. */
  steps: JourneyStepCount[];
  /** Those who began another version: their steps have other numbers, so they are not in `steps`. */
  otherVersions: number;
  /** The last contact; null when there is none. */
  last: number | null;
}

/** An event of a contact that may be the goal of a journey. */
export interface GoalHit {
  workspaceId: number;
  /** Null: every journey that the contact entered at `at` or before. */
  journeyId: number | null;
  contactId: number;
  event: (typeof GOAL_EVENTS)[number];
  /** When it happened, ms. */
  at: number;
  /** When it became known: the end of an enrollment that it ends, ms. */
  now: number;
}

/**
 * The runs of journeys: from the enrollment to the last step (docs/architecture.md#journeys). Contacts also enter with
 * the joins of audiences, and leave with a raised status and their deletion, in those commits.
 * - Each method that writes is one commit, and may be repeated, by several processes at once too.
 * - Due work: an active enrollment has one due task, with its id, unless its journey is paused.
 * - Durability: every method that writes resolves once the write is durable. A rejected call may still have taken
 *   effect.
 * - Errors: UnavailableError.
 */
export interface JourneyRuns {
  /**
   * Enrolls in one atomic commit: checks the journey, the suppression list and the contact, creates the contact if the
   * address has none, with its consent, and writes the enrollment, its due task and its record of
   * `journeys.enrollments` (key: contact). At most one enrollment per journey and contact, ever, even if two callers
   * race. A refusal creates no contact.
   */
  enroll(enrollment: NewEnrollment): Promise<EnrollOutcome>;
  /** Reads active enrollments for stepping. Leaves out those that ended, and unknown ones. */
  open(ids: readonly string[]): Promise<OpenedEnrollment[]>;
  /**
   * Writes rounds in one commit: the steps, where the enrollment stands, and its due task. True for each that was
   * written. A round whose enrollment ended or moved, whose claim is no longer valid, or that parks an active journey
   * changes nothing, and does not stop the others. An enrollment ends at the given time, but not before its last step.
   */
  advance(rounds: readonly StepRun[]): Promise<boolean[]>;
  /**
   * Ends the active enrollments of a contact, or the one in a journey, with their due tasks. Returns how many. What
   * makes a contact leave may be known late: `at` counts, but not before the enrollment and its last step.
   */
  leave(
    contact: { workspaceId: number; contactId: number; journeyId?: number },
    reason: LeaveReason,
    at: number,
  ): Promise<number>;
  /**
   * Sets the goal of the enrollments that did not leave, the first time only, if the event is the goal of their
   * version. Ends those whose goal says so. True when one was set.
   */
  reachGoal(hit: GoalHit): Promise<boolean>;
  /**
   * Schedules the steps of the next `limit` enrollments of an active journey, in the order of contacts after `after`
   * (0: from the first). Resolves with the last contact; null when none is left.
   */
  resume(journey: JourneyRef, after: number, limit: number): Promise<number | null>;
  /**
   * The contacts of a journey in the order of their ids, after contact `after` (0: from the first), at most `limit`.
   */
  list(journey: JourneyRef, after: number, limit: number): Promise<EnrolledContact[]>;
  /** How many contacts entered a journey, by what they are now. */
  count(journey: JourneyRef): Promise<EnrollmentCounts>;
  /**
   * Counts the next `limit` contacts of a journey by step of one version, in the order of contacts after `after` (0:
   * from the first).
   */
  countSteps(journey: JourneyRef & { version: number }, after: number, limit: number): Promise<StepCountsPage>;
  /** The enrollments of a contact, one for each journey that it entered, ordered by journey. */
  ofContact(workspaceId: number, contactId: number): Promise<Enrollment[]>;
}
