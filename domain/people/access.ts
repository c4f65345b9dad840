import { roleCovers, type Role, type WorkspaceRole } from './role';

/** What a caller may see and do. Without one, as on the command line, a caller may do all. */
export interface Access {
  /** True if the caller belongs to the workspace: another one must look as if it did not exist. */
  sees(workspaceId: number): boolean;
  /** True if the caller may do what needs `role`, in a workspace or, with null, in the installation. */
  may(role: Role, workspaceId: number | null): boolean;
  /** True if the caller may do what needs `role` anywhere at all. */
  holds(role: Role): boolean;
}

/** What somebody was given: a role in all workspaces and in the installation, or roles in single workspaces. */
export interface Grants {
  /** `operator` for those who run the installation; a smaller role reaches all workspaces, but not the installation. */
  everywhere: Role | null;
  workspaces: ReadonlyMap<number, WorkspaceRole>;
}

/** The access that follows from grants. */
export const accessOf = ({ everywhere, workspaces }: Grants): Access => ({
  sees: (workspaceId) => everywhere !== null || workspaces.has(workspaceId),
  may: (role, workspaceId) => {
    if (workspaceId === null) return everywhere === 'operator';
    const held = [everywhere, workspaces.get(workspaceId) ?? null];
    return held.some((one) => one !== null && roleCovers(one, role));
  },
  holds: (role) => [everywhere, ...workspaces.values()].some((one) => one !== null && roleCovers(one, role)),
});
