import { MESSAGE_FIELDS, MESSAGE_STATE, type Message, type MessageState } from '../../../domain/messages/message';
import { declaredFields, DocumentFields } from '../database/document-fields';
import type { MessageDocument } from '../database/documents';

/** The fields of a document that make up a Message; the others are read separately. */
export const MESSAGE = new DocumentFields<Message, MessageDocument>(declaredFields(MESSAGE_FIELDS));

/** Names of the fields that changes set; the version increments by itself. They are stored as they are decided. */
export const STATE_FIELDS = (Object.keys(MESSAGE_STATE) as (keyof MessageState)[]).filter((name) => name !== 'version');
