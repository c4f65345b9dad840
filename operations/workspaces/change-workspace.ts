import type { OwnRate } from '../../domain/queue/send-rate';
import type { ApiKey, Workspace } from '../../domain/settings/workspace';
import type { Stores } from '../../stores/ports';
import type { WorkspacePatch } from '../../stores/ports/workspace-store';
import { cancelForWorkspace } from '../webhooks/cancel-for-workspace';

/**
 * Changes fields of a workspace at `now`, ms; null if it is gone. What waits for its webhooks ends when it is
 * suspended. May be repeated.
 */
export async function changeWorkspace(
  stores: Pick<Stores, 'workspaces' | 'webhooks' | 'deliveries'>,
  id: number,
  patch: WorkspacePatch,
  now: number,
): Promise<Workspace | null> {
  // Before the workspace is active again: events of the time before are not sent later.
  if (patch.suspended === false) await stores.webhooks.restart(id, now);
  const changed = await stores.workspaces.update(id, patch);
  if (changed && patch.suspended === true) await cancelForWorkspace(stores, id);
  return changed;
}

/** Gives a workspace another send rate from `now` on, ms; what `change` leaves out stays. Null if it is gone. */
export const setSendRate = (
  { workspaces }: Pick<Stores, 'workspaces'>,
  id: number,
  change: Partial<Omit<OwnRate, 'since'>>,
  now: number,
): Promise<Workspace | null> => workspaces.setRate(id, change, now);

/** Revokes an API key for good: every read that starts later refuses it. Null if it was revoked before. */
export async function revokeKey(
  { credentials }: Pick<Stores, 'credentials'>,
  key: ApiKey,
  now: number,
): Promise<ApiKey | null> {
  return (await credentials.revokeKey(key.workspaceId, key.id, now)) ? { ...key, revokedAt: now } : null;
}
