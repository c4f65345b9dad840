import type { KnownEntry } from '../../domain/contacts/suppression';
import { objectTime } from '../rules/timestamps';

/** An entry of the suppression list (docs/contract.md#list-of-suppressions). */
export const presentSuppression = ({ email, addressHash, reason, messageId, createdAt }: KnownEntry): object => ({
  email,
  address_hash: addressHash,
  reason,
  message_id: messageId,
  created_at: objectTime(createdAt),
});
