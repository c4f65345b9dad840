/** Roles within a workspace, from the least. An owner may do all in it. */
export const WORKSPACE_ROLES = ['viewer', 'editor', 'developer', 'owner'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** `operator` is for those who run the installation: they may do all. */
export type Role = WorkspaceRole | 'operator';

/** What each role may do besides its own: an editor writes to people, a developer makes programs send. */
const INCLUDES: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['viewer'],
  editor: ['viewer', 'editor'],
  developer: ['viewer', 'developer'],
  owner: WORKSPACE_ROLES,
  operator: [...WORKSPACE_ROLES, 'operator'],
};

/** True if whoever has role `held` may do what needs role `needed`. */
export const roleCovers = (held: Role, needed: Role): boolean => INCLUDES[held].includes(needed);
