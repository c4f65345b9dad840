import { acceptedMessage, NEW_STATE, type MessageState } from '../../../domain/messages/message';
import type { OutgoingRecord } from '../../../streams/records';
import { newestVersion } from '../../../streams/topics';
import type { Acceptance } from '../../ports/message-store';
import { withoutRecipient } from '../../shared/without-recipient';
import type { MessageDocument, OutboxEntry, Stage } from '../database/documents';
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

/** Records in the form that waits in an outbox. */
export const outboxEntries = (records: readonly OutgoingRecord[], v: number): OutboxEntry[] =>
  records.map(({ topic, key, value, version = newestVersion(topic) }) => ({
    topic,
    key,
    value: JSON.stringify(value),
    version,
    v,
  }));

/** Records from an outbox; another program may have written them. */
export const outgoingRecords = (entries: readonly OutboxEntry[]): OutgoingRecord[] =>
  entries.map(
    ({ topic, key, value, version }) =>
      ({ topic, key, value: JSON.parse(value) as unknown, version }) as OutgoingRecord,
  );
