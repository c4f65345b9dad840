import { journeySecretContext } from '../../domain/journeys/journey';
import { MAX_POSTS, nextPostAt, parsePostLane } from '../../domain/journeys/journey-post';
import type { Stores } from '../../stores/ports';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import type { AttemptClient } from '../../operations/webhooks/attempt-client';
import { journeyPayload } from '../../operations/webhooks/journey-payload';
import type { LaneWork } from '../due-work/due-work';
import type { Lanes } from '../due-work/lanes';

export interface PostDeps {
  stores: Pick<Stores, 'journeyPosts' | 'workspaces'>;
  client: Pick<AttemptClient, 'attempt'>;
  lanes: Lanes;
}

/**
 * Posts what webhook steps have to say (docs/architecture.md#journeys). Every journey has its own lane, so an endpoint
 * that hangs slows no other journey.
 */
export const postWork = (deps: PostDeps): LaneWork<'journey-post'> => ({
  lanes: deps.lanes,
  openLane: async (lane) => ({
    workspaceId: parsePostLane(lane).workspaceId,
    troubled: false,
    begin: (tasks) => (n, signal) => attemptPost(deps, tasks[n]!, signal),
  }),
});

/**
 * Makes one attempt at a post and stores its result (docs/contract.md#journey-webhook-step). A deleted contact ends the
 * post, and so does a suspended workspace.
 */
async function attemptPost({ stores, client }: PostDeps, task: ClaimedTask, signal: AbortSignal): Promise<void> {
  const { journeyPosts, workspaces } = stores;
  const opened = await journeyPosts.open(task.id);
  const workspace = await workspaces.get(task.workspaceId);
  if (!opened?.contact || !workspace || workspace.suspended) {
    await journeyPosts.finish(task, { state: 'cancelled', attempts: [], nextAt: null });
    return;
  }
  const { post, journey, url, contact, goalReached } = opened;
  const { step, workspaceId, createdAt: occurredAt } = post;
  const made = post.attempts.length;
  const { sent: _, ...result } = await client.attempt(
    task,
    { made, allowed: MAX_POSTS, nextAt: (attempts) => nextPostAt(made + attempts.length, attempts.at(-1)!.at) },
    async () => ({
      url,
      id: task.id,
      payload: journeyPayload({ journey, contact, step, goalReached, occurredAt }),
      secret: { sealed: journey.secretSealed, context: journeySecretContext(workspaceId) },
    }),
    signal,
  );
  await journeyPosts.finish(task, result);
}
