import Joi from 'joi';
import { MESSAGE_FIELD_TEXTS, messageRules, messageShape } from './send-message';
import type { Shape } from '../rules/normalize';

/** Messages in one request (docs/contract.md#batch-of-messages). */
export const MAX_BATCH = 500;

export const messageBatchShape = { messages: { items: messageShape, most: MAX_BATCH } } as const satisfies Shape;

export interface MessageBatchFields {
  messages: unknown[];
}

/** What must hold of the whole; each message is judged alone. */
export const wholeBatchRules = Joi.object<MessageBatchFields>({
  messages: Joi.array().min(1).max(MAX_BATCH).required(),
});

const described = Object.entries(MESSAGE_FIELD_TEXTS).reduce(
  (rules, [name, text]) => rules.fork(name, (rule) => rule.description(text)),
  messageRules,
);

/** The body of POST /messages/batch, for the document of the API. */
export const messageBatchRules = Joi.object<MessageBatchFields>({
  messages: Joi.array().items(described).min(1).max(MAX_BATCH).required(),
});
