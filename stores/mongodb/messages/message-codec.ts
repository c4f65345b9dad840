import type { Message, MessageState, Metadata } from '../../../domain/message';
import type { OutgoingRecord } from '../../../streams/records';
import { newestVersion } from '../../../streams/topics';
import type { Acceptance } from '../../ports/message-store';
import { withoutRecipient } from '../../shared/without-recipient';
import type { MessageDocument, OutboxEntry, Stage } from '../database/documents';

/** What a Message is made of. */
export const MESSAGE_FIELDS = {
  workspaceId: 1,
  contactId: 1,
  domainId: 1,
  channel: 1,
  lane: 1,
  campaignId: 1,
  to: 1,
  toText: 1,
  subject: 1,
  fromEmail: 1,
  fromName: 1,
  replyTo: 1,
  metadata: 1,
  createdAt: 1,
  status: 1,
  failedReason: 1,
  dispatchedAt: 1,
  dueAt: 1,
  attempt: 1,
  firstClaimedAt: 1,
  fence: 1,
  fencedAt: 1,
  unknown: 1,
  reopenable: 1,
  complainedAt: 1,
  attachmentsUntil: 1,
  version: 1,
} as const satisfies Record<keyof Omit<Message, 'id'>, 1>;

type MessageFields = Pick<MessageDocument, '_id' | keyof typeof MESSAGE_FIELDS>;

/** The named fields of a message, as they are stored, under its id. */
export function fieldsOf<D extends { _id: string }, F extends keyof D>(
  document: D,
  fields: Readonly<Record<F, 1>>,
): { id: string } & Pick<D, F> {
  const entries = (Object.keys(fields) as F[]).map((field) => [field, document[field]]);
  return { id: document._id, ...(Object.fromEntries(entries) as Pick<D, F>) };
}

/** A Message from what was read of its document. */
export function toMessage(document: MessageFields): Message {
  const metadata = document.metadata === null ? null : (JSON.parse(document.metadata) as Metadata);
  return { ...fieldsOf(document, MESSAGE_FIELDS), metadata };
}

/** Where the contact of a message was found; one deleted in this very moment takes the address with it. */
export interface Recipient {
  contactId: number;
  gone: boolean;
}

/** The document of a message that was accepted just now. */
export function newMessage(acceptance: Acceptance, recipient: Recipient): MessageDocument {
  const { facts, attachmentsUntil, idempotencyKey } = recipient.gone ? withoutRecipient(acceptance) : acceptance;
  const { id, metadata, ...rest } = facts;
  return {
    ...rest,
    _id: id,
    contactId: recipient.contactId,
    metadata: metadata === null ? null : JSON.stringify(metadata),
    status: 'queued',
    failedReason: null,
    dispatchedAt: null,
    dueAt: facts.createdAt,
    attempt: 0,
    firstClaimedAt: null,
    fence: null,
    fencedAt: null,
    unknown: false,
    reopenable: null,
    complainedAt: null,
    attachmentsUntil,
    version: 1,
    history: [{ status: 'queued', at: facts.createdAt }],
    attempts: [],
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
  };
}

/** See `Stage`; undefined for a message that is not on its way. */
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

/** Records as they wait in an outbox. */
export const outboxEntries = (records: readonly OutgoingRecord[], v: number): OutboxEntry[] =>
  records.map(({ topic, key, value, version = newestVersion(topic) }) => ({
    topic,
    key,
    value: JSON.stringify(value),
    version,
    v,
  }));

/** Records from an outbox, perhaps of an older program. */
export const outgoingRecords = (entries: readonly OutboxEntry[]): OutgoingRecord[] =>
  entries.map(
    ({ topic, key, value, version = 1 }) =>
      ({ topic, key, value: JSON.parse(value) as unknown, version }) as OutgoingRecord,
  );
