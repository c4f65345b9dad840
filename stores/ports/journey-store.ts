import type { Journey, JourneyDefinition, JourneyStatus, JourneyVersion } from '../../domain/journeys/journey';

/** A journey to create; it is its first version. */
export type NewJourney = Omit<Journey, 'id' | 'version'>;

/** `in_use`: it is no draft, or contacts entered it. */
export type JourneyDeletion = 'deleted' | 'no_journey' | 'in_use';

/** Journeys and their versions. */
export interface JourneyStore {
  create(journey: NewJourney): Promise<Journey>;
  get(workspaceId: number, id: number): Promise<Journey | null>;
  /** One version of a journey; null if the workspace has no such journey, or the journey no such version. */
  version(workspaceId: number, id: number, version: number): Promise<JourneyVersion | null>;
  /** Ordered by id. */
  list(workspaceId: number): Promise<Journey[]>;
  /**
   * Makes what is given the newest version, created at `at`, and changes name, trigger and audience at once. Contacts
   * in the journey finish on the version they began. Null if the workspace has no such journey.
   */
  edit(workspaceId: number, id: number, definition: JourneyDefinition, at: number): Promise<Journey | null>;
  /** Deletes a draft that no contact entered, with its versions. */
  delete(workspaceId: number, id: number): Promise<JourneyDeletion>;
  /** False if the workspace has no such journey. */
  replaceSecret(workspaceId: number, id: number, secretSealed: string): Promise<boolean>;
  /**
   * Null if the workspace has no such journey. An active one that was not schedules, at `at`, the work that resumes the
   * contacts in it (docs/architecture.md#journeys).
   */
  setStatus(workspaceId: number, id: number, status: JourneyStatus, at: number): Promise<Journey | null>;
}
