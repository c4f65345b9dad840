import { MINUTE, SECOND } from '../../lib/clock';
import type { DeliveryAttempt, DeliveryState } from '../webhooks/webhook-delivery';

/** The request of one webhook step for one contact (docs/contract.md#journey-webhook-step). It names nobody. */
export interface JourneyPost {
  enrollmentId: string;
  /** The number of the step. */
  step: number;
  workspaceId: number;
  journeyId: number;
  contactId: number;
  /** When the step was reached, ms. */
  createdAt: number;
  state: DeliveryState;
  /** In order. */
  attempts: DeliveryAttempt[];
}

/** The id of a post and of its due task: the `webhook-id` header, the same for every attempt. */
export const postId = ({ enrollmentId, step }: Pick<JourneyPost, 'enrollmentId' | 'step'>): string =>
  `${enrollmentId}:${step}`;

/** The enrollment and step of an id; null when it is not one of a post. */
export function parsePostId(id: string): { enrollmentId: string; step: number } | null {
  const found = /^(.+):(\d{1,9})$/.exec(id);
  return found ? { enrollmentId: found[1]!, step: Number(found[2]) } : null;
}

/** At most five attempts (docs/contract.md#journey-webhook-step). */
export const MAX_POSTS = 5;
/** Waits from the start of one attempt to the next (docs/contract.md#journey-webhook-step). */
const WAITS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
/** The longest of these waits, ms. */
export const LONGEST_POST_WAIT = Math.max(...WAITS);

/** When the attempt after the one with this number (from 1) is due, which began at `startedAt`; both ms. */
export const nextPostAt = (attempt: number, startedAt: number): number =>
  startedAt + (WAITS[Math.min(attempt, WAITS.length) - 1] ?? 0);

/** The lane of a post's due task. Each journey has its own, so that an endpoint that hangs slows no other journey. */
export const postLane = ({ workspaceId, journeyId }: Pick<JourneyPost, 'workspaceId' | 'journeyId'>): string =>
  `${workspaceId}:${journeyId}`;

/** The workspace and journey of a lane. */
export function parsePostLane(lane: string): { workspaceId: number; journeyId: number } {
  const [workspaceId, journeyId] = lane.split(':').map(Number);
  return { workspaceId: workspaceId ?? 0, journeyId: journeyId ?? 0 };
}
