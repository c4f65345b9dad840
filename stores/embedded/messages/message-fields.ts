import type { Attempt, Message, MessageFacts, MessageState, Variables } from '../../../domain/messages/message';
import { column, ColumnList, columns, flagColumn, jsonColumn, textColumn, type ColumnsOf } from '../database/columns';

const FACTS: ColumnsOf<MessageFacts> = {
  ...columns('id', 'workspaceId', 'contactId', 'domainId', 'channel', 'lane', 'campaignId', 'journeyId'),
  ...columns('journeyVersion', 'journeyStep', 'category', 'sendAt', 'fromEmail', 'replyTo', 'attachmentsLeftOut'),
  ...columns('attachmentCount', 'createdAt'),
  to: column('recipient'),
  toText: column('recipient_text'),
  subject: textColumn('subject'),
  fromName: textColumn('from_name'),
  metadata: jsonColumn('metadata'),
  thread: jsonColumn('thread'),
  trackClicks: flagColumn('track_clicks'),
};

const STATE: ColumnsOf<MessageState> = {
  ...columns('status', 'failedReason', 'dispatchedAt', 'dueAt', 'attempt', 'firstClaimedAt', 'fence', 'fencedAt'),
  ...columns('reopenable', 'complainedAt', 'refusedClass', 'refusedAt', 'hardBouncedAt', 'heldFor', 'attachmentsUntil'),
  ...columns('version'),
  unknown: flagColumn('unknown'),
};

/** The columns of `messages` that make a Message. The history is read separately. */
export const MESSAGE = new ColumnList<Message>('messages', { ...FACTS, ...STATE });
export const MESSAGE_FACTS = new ColumnList<MessageFacts>('messages', FACTS);
/** The columns that a change can set. The version increases automatically. */
export const MESSAGE_STATE = new ColumnList<MessageState>('messages', STATE).without('version');

interface StoredContent {
  seq: number;
  html: string;
  text: string | null;
  variables: Variables | null;
}
/** The columns of `bodies`. */
export const BODY = new ColumnList<StoredContent>('bodies', {
  ...columns('seq'),
  html: textColumn('html'),
  text: textColumn('text'),
  variables: jsonColumn('variables'),
});

interface StoredAttachment {
  seq: number;
  n: number;
  filename: string;
  contentType: string;
  content: Uint8Array;
}
/** The columns of `attachments`. */
export const ATTACHMENT = new ColumnList<StoredAttachment>(
  'attachments',
  columns('seq', 'n', 'filename', 'contentType', 'content'),
);

/** The columns of `idempotency`. */
export const IDEMPOTENCY = new ColumnList<{ workspaceId: number; key: string; seq: number }>(
  'idempotency',
  columns('workspaceId', 'key', 'seq'),
);

/** The columns of `links`. */
export const LINKS = new ColumnList<{ seq: number; urls: readonly string[] }>('links', {
  ...columns('seq'),
  urls: jsonColumn('urls'),
});

/** The columns of `attempts`. */
export const ATTEMPT = new ColumnList<Omit<Attempt, 'messageId'> & { seq: number }>(
  'attempts',
  columns('seq', 'n', 'workspaceId', 'claimedAt', 'fencedAt', 'finishedAt', 'outcome', 'reply'),
);
