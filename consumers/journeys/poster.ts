import { POST_WORK } from '../../domain/journeys/enrollment';
import { parsePostLane } from '../../domain/journeys/journey-post';
import { LaneWorker, type LaneDeps } from '../webhooks/lane-worker';
import { attemptPost, type PostDeps } from './attempt-post';

export interface PosterDeps extends PostDeps, Omit<LaneDeps, 'stores' | 'clock'> {
  stores: PostDeps['stores'] & LaneDeps['stores'];
}

/**
 * Posts what webhook steps have to say (docs/architecture.md#journeys). Every journey has its own lane, so an endpoint
 * that hangs slows no other journey.
 */
export class Poster extends LaneWorker<PosterDeps> {
  constructor(deps: PosterDeps) {
    super(deps, { kind: POST_WORK, name: 'webhook steps of journeys', one: 'webhook step' });
  }

  protected async startLane(lane: string, now: number): Promise<number> {
    const { workspaceId, journeyId: id } = parsePostLane(lane);
    return this.claimAndRun(
      { id, workspaceId },
      { lane, now, troubled: false },
      (tasks) => (n, signal) => attemptPost(this.deps, tasks[n]!, signal),
    );
  }
}
