import type { EnrolRefusal } from '../../domain/enrolment';
import type { Journey, JourneyStatus } from '../../domain/journey';
import type { NewContact } from './contact-store';

export type NewJourney = Omit<Journey, 'id'>;

export interface NewEnrollment {
  /** UUIDv7 of the enrolment. */
  id: string;
  workspaceId: number;
  journeyId: number;
  contact: NewContact;
  at: number;
}

export type EnrolOutcome =
  { kind: 'enrolled' } | { kind: 'entered_before' } | { kind: 'refused'; because: EnrolRefusal };

/** Journeys and who is on them. */
export interface JourneyStore {
  create(journey: NewJourney): Promise<Journey>;
  get(workspaceId: number, id: number): Promise<Journey | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Journey[]>;
  /** Null when the workspace has no such journey. */
  setStatus(workspaceId: number, id: number, status: JourneyStatus): Promise<Journey | null>;
  /**
   * One atomic commit: the look at journey, suppression list and contact, the contact where the address has none, the enrolment
   * and its record of `journeys.enrollments` (key: contact). One enrolment per (journey, contact), ever, also when two callers
   * race. A refusal makes no contact.
   */
  enrol(enrollment: NewEnrollment): Promise<EnrolOutcome>;
}
