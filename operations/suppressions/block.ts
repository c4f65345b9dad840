import type { SuppressionEntry } from '../../domain/contacts/suppression';
import type { Stores } from '../../stores/ports';

/**
 * Adds entries to suppression lists. Their contacts leave their journeys at once (docs/contract.md#leaving-a-journey).
 */
export async function block(
  stores: Pick<Stores, 'workspaces' | 'suppressions' | 'contacts' | 'journeyRuns'>,
  entries: readonly SuppressionEntry[],
): Promise<void> {
  await Promise.all(entries.map((entry) => stores.suppressions.add(entry)));
  for (const list of new Set(entries.map(({ workspaceId }) => workspaceId))) {
    const added = entries.filter(({ workspaceId }) => workspaceId === list);
    const workspaceIds = list === null ? (await stores.workspaces.list()).map(({ id }) => id) : [list];
    for (const workspaceId of workspaceIds) await leaveJourneys(stores, workspaceId, added);
  }
}

async function leaveJourneys(
  { contacts, journeyRuns }: Pick<Stores, 'contacts' | 'journeyRuns'>,
  workspaceId: number,
  entries: readonly SuppressionEntry[],
): Promise<void> {
  const times = new Map(entries.map(({ addressHash, createdAt }) => [addressHash, createdAt]));
  const found = await contacts.findByHashes(workspaceId, [...times.keys()]);
  await Promise.all(
    found.map(({ id, emailHash }) =>
      journeyRuns.leave({ workspaceId, contactId: id }, 'suppressed', times.get(emailHash)!),
    ),
  );
}
