import type { OwnRate } from '../../domain/queue/send-rate';
import type { Workspace } from '../../domain/settings/workspace';

export type NewWorkspace = Omit<Workspace, 'id'>;
export type WorkspacePatch = Partial<Omit<Workspace, 'id' | 'createdAt' | 'rates'>>;

/** Workspaces. A read sees every write that was acknowledged before it began. */
export interface WorkspaceStore {
  create(workspace: NewWorkspace): Promise<Workspace>;
  get(id: number): Promise<Workspace | null>;
  /** Ordered by id. */
  list(): Promise<Workspace[]>;
  /** Null if there is no such workspace. */
  update(id: number, patch: WorkspacePatch): Promise<Workspace | null>;
  /**
   * Gives it another send rate from `since` (ms) on, and has the throttle look at it at once (WakeupStore). What
   * `change` leaves out stays. Null if there is no such workspace.
   */
  setRate(id: number, change: Partial<Omit<OwnRate, 'since'>>, since: number): Promise<Workspace | null>;
}
