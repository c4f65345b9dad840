import { texts } from '../../domain/texts';
import type { AcceptDeps } from './accept-deps';
import { penalise } from './penalise';
import { Refusal } from './refusal';

/** Check 5: the recipient is on the suppression list, the workspace's or the global one: penalty. */
export async function checkSuppression(
  deps: AcceptDeps,
  workspaceId: number,
  addressHash: string,
): Promise<Refusal | null> {
  if ((await deps.stores.suppressions.reason(workspaceId, addressHash)) === null) return null;
  await penalise(deps, workspaceId, addressHash, 'suppressed');
  return new Refusal('recipient_suppressed', texts.suppressed);
}
