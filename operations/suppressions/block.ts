import { refusingStatus } from '../../domain/contacts/contact';
import { SUPPRESSION_REASONS, type SuppressionEntry, type SuppressionReason } from '../../domain/contacts/suppression';
import type { Keyring } from '../../domain/keyring';
import type { Stores } from '../../stores/ports';

/** The list of a workspace, or the one for all senders of the service. */
type ListId = number | null;
type BlockStores = Pick<Stores, 'workspaces' | 'suppressions' | 'contacts' | 'journeyRuns'>;
type Hashes = Pick<Keyring, 'hashAddress'>;

/**
 * Adds entries to suppression lists. Their contacts leave their journeys at once (docs/contract.md#leaving-a-journey).
 */
export async function block(stores: BlockStores, entries: readonly SuppressionEntry[]): Promise<void> {
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

/**
 * Blocks canonical addresses by hand, at `now`, ms, and answers the entries it made. An address that is blocked by hand
 * already keeps its entry.
 */
export async function blockByHand(
  stores: BlockStores,
  keyring: Hashes,
  workspaceId: ListId,
  emails: readonly string[],
  now: number,
): Promise<SuppressionEntry[]> {
  const entry = { workspaceId, reason: workspaceId === null ? 'global' : 'manual', messageId: null } as const;
  const entries = emails.map((email) => ({ ...entry, addressHash: keyring.hashAddress(email), createdAt: now }));
  await block(stores, entries);
  return entries;
}

/** Takes an address off a list: the entry of this reason, or all. Returns how many entries there were. */
export const unblock = (
  { suppressions }: Pick<Stores, 'suppressions'>,
  keyring: Hashes,
  workspaceId: ListId,
  email: string,
  reason?: SuppressionReason,
): Promise<number> => suppressions.remove(workspaceId, keyring.hashAddress(email), reason);

/**
 * What blocks an address: the reason of a list, which takes precedence, or the status of the contact. Null: it may be
 * sent to (docs/contract.md#suppression-check).
 */
export async function blockedBy(
  { suppressions, contacts }: Pick<Stores, 'suppressions' | 'contacts'>,
  keyring: Hashes,
  workspaceId: ListId,
  email: string,
) {
  const [listed, contact] = await Promise.all([
    // No workspace has the id 0, so only the global list counts.
    suppressions.reason(workspaceId ?? 0, keyring.hashAddress(email)),
    workspaceId === null ? null : contacts.find(workspaceId, email),
  ]);
  return listed ?? (contact && refusingStatus(contact.status));
}

/** The entries of an address on a list: one a reason. */
export async function entriesOf(
  { suppressions }: Pick<Stores, 'suppressions'>,
  workspaceId: ListId,
  addressHash: string,
): Promise<SuppressionEntry[]> {
  const entries = await suppressions.list(workspaceId, SUPPRESSION_REASONS.length, { addressHash, reason: '' });
  return entries.filter((entry) => entry.addressHash === addressHash);
}
