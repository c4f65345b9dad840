import { acceptedMessage, NEW_STATE, type MessageState } from '../../../domain/messages/message';
import type { Acceptance } from '../../ports/message-store';
import { withoutRecipient } from '../../shared/without-recipient';
import type { MessageDocument, Stage } from '../database/documents';
import { MESSAGE } from './message-fields';

/**
 * The contact of a message when it was looked up. If the contact is being deleted at this moment, its address is gone
 * too.
 */
export interface FoundContact {
  id: number;
  deleted: boolean;
}

/** The document of a newly accepted message. */
export function newMessage(acceptance: Acceptance, contact: FoundContact): MessageDocument {
  const { facts, attachmentsUntil, idempotencyKey } = contact.deleted ? withoutRecipient(acceptance) : acceptance;
  return {
    ...MESSAGE.encode(acceptedMessage({ ...facts, contactId: contact.id }, attachmentsUntil)),
    history: [{ status: NEW_STATE.status, at: facts.createdAt }],
    attempts: [],
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
  };
}

/** See `Stage`; undefined for a message that is not being sent. */
export function stageOf({
  status,
  fencedAt,
  unknown,
}: Pick<MessageState, 'status' | 'fencedAt' | 'unknown'>): Stage | undefined {
  if (status === 'sent_to_mta') return 'handed_over';
  if (status !== 'sending') return undefined;
  if (fencedAt === null) return 'claimed';
  return unknown ? 'unknown' : 'past_fence';
}
