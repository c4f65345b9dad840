import type { EnrolRefusal } from '../../domain/enrolment';
import type { Journey, JourneyStatus } from '../../domain/journey';
import type { NewContact } from './contact-store';

export type NewJourney = Omit<Journey, 'id'>;

export interface NewEnrollment {
  /** The UUIDv7 of the enrolment. */
  id: string;
  workspaceId: number;
  journeyId: number;
  contact: NewContact;
  at: number;
}

export type EnrolOutcome =
  { kind: 'enrolled' } | { kind: 'entered_before' } | { kind: 'refused'; because: EnrolRefusal };

/** Journeys and their enrolments. */
export interface JourneyStore {
  create(journey: NewJourney): Promise<Journey>;
  get(workspaceId: number, id: number): Promise<Journey | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Journey[]>;
  /** Null if the workspace has no such journey. */
  setStatus(workspaceId: number, id: number, status: JourneyStatus): Promise<Journey | null>;
  /**
   * Enrols in one atomic commit: checks the journey, the suppression list and the contact, creates the contact if the
   * address has none, and writes the enrolment and its record of `journeys.enrollments` (key: contact). At most one
   * enrolment per journey and contact, ever, even if two callers race. A refusal creates no contact.
   */
  enrol(enrollment: NewEnrollment): Promise<EnrolOutcome>;
}
