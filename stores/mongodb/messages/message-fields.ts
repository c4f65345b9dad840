import type { Message, MessageState, Metadata, Thread } from '../../../domain/messages/message';
import { plain, type Codec, type FieldsOf } from '../../../lib/fields';
import { DocumentFields } from '../database/document-fields';
import type { MessageDocument } from '../database/documents';

const metadata: Codec<Metadata | null> = {
  encode: (value) => (value === null ? null : JSON.stringify(value)),
  decode: (stored) => (stored === null ? null : (JSON.parse(stored as string) as Metadata)),
};

/** Null before there was one: older documents are without it. */
const later = <V>(): Codec<V | null> => ({
  encode: (value) => value,
  decode: (stored) => (stored as V | undefined) ?? null,
});

/** The fields that change. They are stored unconverted, since a change writes them as decided. */
const STATE = {
  status: plain,
  failedReason: plain,
  dispatchedAt: plain,
  dueAt: plain,
  attempt: plain,
  firstClaimedAt: plain,
  fence: plain,
  fencedAt: plain,
  unknown: plain,
  reopenable: plain,
  complainedAt: plain,
  refusedClass: plain,
  refusedAt: plain,
  hardBouncedAt: plain,
  heldFor: later<string>(),
  attachmentsUntil: plain,
  version: plain,
} as const satisfies FieldsOf<MessageState>;

/** The fields of a document that make up a Message; the others are read separately. */
export const MESSAGE = new DocumentFields<Message, MessageDocument>({
  workspaceId: plain,
  contactId: plain,
  domainId: plain,
  channel: plain,
  lane: plain,
  campaignId: plain,
  journeyId: plain,
  journeyVersion: plain,
  journeyStep: plain,
  category: plain,
  trackClicks: plain,
  sendAt: plain,
  to: plain,
  toText: plain,
  subject: plain,
  fromEmail: plain,
  fromName: plain,
  replyTo: plain,
  metadata,
  attachmentsLeftOut: plain,
  attachmentCount: later<number>(),
  thread: later<Thread>(),
  createdAt: plain,
  ...STATE,
});

const { version: _version, ...CHANGED } = STATE;
/** Names of the fields that changes set; the version increments by itself. */
export const STATE_FIELDS = Object.keys(CHANGED) as (keyof typeof CHANGED)[];
