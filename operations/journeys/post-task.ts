import { POST_WORK, type Enrollment } from '../../domain/journeys/enrollment';
import { postId, postLane } from '../../domain/journeys/journey-post';
import type { DueTask } from '../../stores/ports/due-tasks';

/** The due task of a webhook step that was reached at `at` (ms). */
export const postTask = ({ id, workspaceId, journeyId }: Enrollment, step: number, at: number): DueTask => ({
  kind: POST_WORK,
  id: postId({ enrollmentId: id, step }),
  workspaceId,
  lane: postLane({ workspaceId, journeyId }),
  dueAt: at,
  payload: {},
});
