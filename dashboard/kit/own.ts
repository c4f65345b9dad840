import { Refused } from './perform';
import type { Visit } from './screen';

/** The id of the workspace whose screen it is, as operations take it. */
export function workspaceOf({ workspace }: Pick<Visit, 'workspace'>): string {
  if (workspace) return String(workspace.id);
  throw new Error('the screen is of no workspace');
}

/**
 * What an operation answers about something that is found by its own id. Under the address of another workspace it does
 * not exist, even for somebody who belongs to both.
 */
export async function readOwn<T extends object>(
  visit: Visit,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<T> {
  const found = await visit.read<T & { workspace_id: number }>(name, input);
  if (found.workspace_id === visit.workspace?.id) return found;
  throw new Refused({ status: 404, message: '', field: null });
}

/** True if the person may do in this workspace what takes the role. */
export const mayHere = ({ access, workspace }: Visit, role: Parameters<Visit['access']['may']>[0]): boolean =>
  workspace !== null && access.may(role, workspace.id);
