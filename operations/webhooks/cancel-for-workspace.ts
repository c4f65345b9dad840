import type { Stores } from '../../stores/ports';

/**
 * Ends everything that waits for the webhooks of a workspace, when it is suspended (docs/contract.md#webhook-delivery).
 * Call it once the suspension is stored; an event of the time after it is cancelled at its turn. May be repeated.
 */
export async function cancelForWorkspace(
  { webhooks, deliveries }: Pick<Stores, 'webhooks' | 'deliveries'>,
  workspaceId: number,
): Promise<void> {
  for (const { id } of await webhooks.list(workspaceId)) await deliveries.cancelWaiting(id);
}
