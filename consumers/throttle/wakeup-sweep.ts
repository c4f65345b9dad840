import type { WakeupStore } from '../../stores/ports/wakeup-store';
import type { SendQueue } from '../../stores/ports/send-queue';

const PAGE = 1_000;

export interface WakeupSweepDeps {
  queue: Pick<SendQueue, 'workspacesWaiting'>;
  store: Pick<WakeupStore, 'find'>;
  shardOf: (workspaceId: number) => number;
  /** Rows until then were read, and their workspaces are in memory. */
  readUpTo: () => number;
  /** Whether this process holds the shard of the workspace, and does not have it in memory. */
  isUnknown: (workspaceId: number) => boolean;
  onMissing: (workspaceId: number) => void;
}

/**
 * Goes through the workspaces with mail waiting, page by page, and finds those without a row that will be read: their
 * wake-up was lost, or the number of shards has changed. A page costs two queries, however many wait.
 */
export class WakeupSweep {
  private after = 0;
  /** True until every workspace was visited once since the last restart. */
  isFirstPass = false;

  constructor(private readonly deps: WakeupSweepDeps) {}

  /** Begins again with the first workspace. */
  restart(): void {
    this.after = 0;
    this.isFirstPass = true;
  }

  /** Visits the next page. */
  async visit(): Promise<void> {
    const { queue, store, shardOf, readUpTo, isUnknown, onMissing } = this.deps;
    const from = this.after;
    const page = await queue.workspacesWaiting(from, PAGE);
    const unknown = page.filter(isUnknown);
    const rows = unknown.length === 0 ? [] : await store.find(unknown);
    const willBeRead = new Set(
      rows
        .filter(({ workspaceId, shard, at }) => shard === shardOf(workspaceId) && at > readUpTo())
        .map(({ workspaceId }) => workspaceId),
    );
    for (const workspaceId of unknown) {
      if (!willBeRead.has(workspaceId) && isUnknown(workspaceId)) onMissing(workspaceId);
    }
    if (this.after !== from) return;
    const isLast = page.length < PAGE;
    this.after = isLast ? 0 : page.at(-1)!;
    if (isLast) this.isFirstPass = false;
  }
}
