import type { Workspace } from '../../domain/settings/workspace';
import { flag, UsageError, why, workspaceOption } from '../definition';

/** The options that say which suppression list is meant. */
export const LIST_OF = {
  workspace: workspaceOption('the list of this workspace (id or name)'),
  global: flag('the global list, for all workspaces'),
};

/** Throws UsageError unless one list is meant. */
export function checkList({ workspace, global }: { workspace: string | undefined; global: boolean }): void {
  if (global !== (workspace !== undefined)) return;
  const fix = 'kurir workspace list shows the workspaces.';
  throw new UsageError(why('either', { one: '--workspace', other: '--global' }), fix, '--workspace');
}

/** The list: the id of its workspace, or null for the global one, and its name. */
export const listOf = ({ workspace }: { workspace: Workspace | undefined }) => ({
  workspaceId: workspace?.id ?? null,
  name: workspace?.name ?? 'the global list',
});
