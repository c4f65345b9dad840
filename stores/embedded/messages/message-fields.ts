import {
  MESSAGE_FACTS,
  MESSAGE_FIELDS,
  MESSAGE_STATE,
  type Attempt,
  type Message,
  type MessageFacts,
  type MessageState,
  type Variables,
} from '../../../domain/messages/message';
import { ColumnList, columns, declaredColumns, jsonColumn, textColumn } from '../database/columns';

/** The columns of `messages` that make a Message. The history is read separately. */
export const MESSAGE = new ColumnList<Message>('messages', declaredColumns(MESSAGE_FIELDS));
export const FACTS = new ColumnList<MessageFacts>('messages', declaredColumns(MESSAGE_FACTS));
/** The columns that a change can set. The version increases automatically. */
export const STATE = new ColumnList<MessageState>('messages', declaredColumns(MESSAGE_STATE)).without('version');

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
