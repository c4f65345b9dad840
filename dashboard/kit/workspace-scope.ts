import { Refused } from './perform';
import type { Visit } from './screen';

/** The id of the workspace whose screen it is, as operations take it. */
export function workspaceOf({ workspace }: Pick<Visit, 'workspace'>): string {
  if (workspace) return String(workspace.id);
  throw new Error('the screen is of no workspace');
}

/**
 * What an operation answered about something that is found by its own id. Under the address of another workspace it
 * does not exist, even for somebody who belongs to both: throws Refused.
 */
export function ownOf<T extends { workspace_id: number | null }>({ workspace }: Visit, found: T): T {
  if (found.workspace_id === workspace?.id) return found;
  throw new Refused({ status: 404, message: '', field: null });
}

/** True if the person may do in this workspace what takes the role. */
export const mayHere = ({ access, workspace }: Visit, role: Parameters<Visit['access']['may']>[0]): boolean =>
  workspace !== null && access.may(role, workspace.id);
