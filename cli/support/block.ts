import type { SuppressionEntry } from '../../domain/contacts/suppression';
import { block } from '../../commands/suppressions/block';
import type { Session } from './command';

/** Adds the addresses to a suppression list. */
export async function blockAddresses(
  session: Session,
  entry: Omit<SuppressionEntry, 'addressHash'>,
  emails: readonly string[],
): Promise<void> {
  const keyring = await session.keyring();
  await block(
    session.stores,
    emails.map((email) => ({ ...entry, addressHash: keyring.hashAddress(email) })),
  );
}
