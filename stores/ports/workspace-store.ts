import type { Workspace } from '../../domain/settings/workspace';

export type NewWorkspace = Omit<Workspace, 'id'>;
export type WorkspacePatch = Partial<Omit<Workspace, 'id' | 'createdAt'>>;

/** Workspaces. A read sees every write that was acknowledged before it began. */
export interface WorkspaceStore {
  create(workspace: NewWorkspace): Promise<Workspace>;
  get(id: number): Promise<Workspace | null>;
  /** Ordered by id. */
  list(): Promise<Workspace[]>;
  /** Null if there is no such workspace. */
  update(id: number, patch: WorkspacePatch): Promise<Workspace | null>;
}
