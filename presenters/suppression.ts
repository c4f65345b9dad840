import type { KnownEntry } from '../commands/suppressions/with-addresses';
import { objectTime } from '../schemas/rules/timestamps';

/** An entry of the suppression list (docs/contract.md#list-of-suppressions). */
export const presentSuppression = ({ email, addressHash, reason, messageId, createdAt }: KnownEntry): object => ({
  email,
  address_hash: addressHash,
  reason,
  message_id: messageId,
  created_at: objectTime(createdAt),
});
