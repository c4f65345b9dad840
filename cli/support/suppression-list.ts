import { UsageError } from './errors';
import type { Session } from './command';
import { reference, type Input } from './input';
import { findWorkspace } from './lookups';

/** The options that say which list is meant. */
export const LIST_OF = [
  ['--workspace <workspace>', 'the list of this workspace (id or name)'],
  ['--global', 'the list for all senders of the service'],
] as const;

/** A suppression list: the id and name of its workspace, or the global one. */
export interface ListOf {
  workspaceId: number | null;
  name: string;
}

/** Which list is meant. Throws UsageError unless one is. */
export function readList(input: Input): (session: Session) => Promise<ListOf> {
  const ref = input.option('workspace', reference);
  const global = input.has('global');
  if (global === (ref !== undefined)) {
    throw new UsageError(
      'Give either --workspace or --global.',
      'kurir workspace list shows the workspaces.',
      '--workspace',
    );
  }
  return async ({ stores }) => {
    if (ref === undefined) return { workspaceId: null, name: 'the global list' };
    const { id, name } = await findWorkspace(stores, ref, '--workspace');
    return { workspaceId: id, name };
  };
}
