import type { KnownEntry, SuppressionEntry } from '../../domain/contacts/suppression';
import type { Stores } from '../../stores/ports';

/**
 * Entries hold keyed hashes. The address is known while the message that caused the entry has it, or a contact
 * (docs/contract.md#list-of-suppressions).
 */
export async function withAddresses(
  { messages, contacts }: Pick<Stores, 'messages' | 'contacts'>,
  entries: readonly SuppressionEntry[],
): Promise<KnownEntry[]> {
  const lists = new Set(entries.map(({ workspaceId }) => workspaceId));
  const emails = new Map<string, string>();
  for (const workspaceId of lists) {
    if (workspaceId === null) continue;
    const hashes = entries.flatMap((entry) => (entry.workspaceId === workspaceId ? [entry.addressHash] : []));
    for (const { emailHash, email } of await contacts.findByHashes(workspaceId, hashes)) emails.set(emailHash, email);
  }
  return Promise.all(
    entries.map(async (entry) => {
      const email = emails.get(entry.addressHash);
      if (email !== undefined || entry.messageId === null) return { ...entry, email: email ?? null };
      return { ...entry, email: (await messages.get(entry.messageId))?.to ?? null };
    }),
  );
}
