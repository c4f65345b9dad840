import type { Journey } from '../../domain/journeys/journey';
import type { JourneyPost } from '../../domain/journeys/journey-post';
import type { TaskClaim } from './due-tasks';
import type { JourneyRef } from './journey-runs';

/** A post with what its request is made of, all of one moment. */
export interface OpenedPost {
  post: JourneyPost;
  journey: Pick<Journey, 'id' | 'name' | 'secretSealed'>;
  /** As the version has it that the enrollment began. */
  url: string;
  /** Null once it was deleted. */
  contact: { email: string; name: string | null } | null;
  goalReached: boolean;
}

/** A post with the address of its contact; null once that was deleted. */
export interface ListedPost extends JourneyPost {
  email: string | null;
}

/** What an attempt, or the end of a post without one, has changed. */
export interface PostResult extends Pick<JourneyPost, 'state' | 'attempts'> {
  /** When the next attempt is due, ms; only while it waits. */
  nextAt: number | null;
}

/**
 * The requests of webhook steps (docs/architecture.md#journeys). JourneyRuns.advance makes them, with their due tasks
 * (POST_WORK, same id), which are claimed through DueTasks and finished here, in the commit of the result.
 * - Durability: every write resolves once it is durable, and may be repeated.
 * - Personal data: the answers of endpoints only; the contact's deletion removes them, including those written at the
 *   same time.
 * - Errors: UnavailableError. Unknown ids are null or false.
 */
export interface JourneyPosts {
  open(id: string): Promise<OpenedPost | null>;
  /** Adds the attempts and sets the state. False if the claim is no longer valid: then nothing changes. */
  finish(claim: TaskClaim, result: PostResult): Promise<boolean>;
  /** Newest first, at most `limit`. */
  list(journey: JourneyRef, limit: number): Promise<ListedPost[]>;
  /** Deletes at most `limit` posts made before this time (ms) that no longer wait. Returns how many. */
  trim(before: number, limit: number): Promise<number>;
}
