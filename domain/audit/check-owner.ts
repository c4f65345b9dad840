import { NO_DIFFERENCE, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

/**
 * A message refers to nothing in another workspace (I14), and to no person once its contact was deleted
 * (docs/contract.md#delete-a-contact).
 */
export function checkOwner(record: MessageRecord): readonly Difference[] {
  const { id, workspaceId } = record.message;
  const { domainWorkspaceId, contactWorkspaceId, hasRecipient } = record;
  const deleted = contactWorkspaceId === null;
  const ours = domainWorkspaceId === workspaceId && (deleted || contactWorkspaceId === workspaceId);
  if (ours && hasRecipient !== deleted) return NO_DIFFERENCE;
  const expected = `domain and contact of workspace ${workspaceId}, a recipient or no contact`;
  const contact = deleted ? 'no contact' : `contact of ${contactWorkspaceId}`;
  const found = `domain of ${domainWorkspaceId ?? 'none'}, ${contact}, ${hasRecipient ? 'a recipient' : 'no recipient'}`;
  return unless(false, 'owner', id, expected, found);
}
