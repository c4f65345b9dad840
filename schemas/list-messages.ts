import Joi, { type CustomHelpers } from 'joi';
import type { MessageStatus } from '../domain/message';
import { messageStatus } from './enums';
import { readUuid } from './ids';
import { pageNumber } from './page';
import type { Shape } from './normalize';
import { inJsonSchema } from './json-schema';

/** Maximum number of ids in one batch status check (docs/contract.md#batch-status-check). */
export const MAX_IDS = 100;

export const messageListShape = { ids: 'list', status: 'text', page: 'integer' } as const satisfies Shape;

export interface MessageListQuery {
  /** Well-formed ids in the requested order, without repeats; absent for the plain list. */
  ids?: string[];
  status?: MessageStatus;
  page?: number;
}

/** The query of GET /messages (docs/contract.md#list-of-messages). */
export const messageListRules = Joi.object<MessageListQuery>({
  ids: Joi.any()
    .custom(readIds)
    .meta(inJsonSchema({ type: 'string' })),
  status: messageStatus,
  page: pageNumber,
});

function readIds(value: unknown, { error }: CustomHelpers): unknown {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (!parts.every((part) => typeof part === 'string')) return error('array.base');
  const ids = new Set(parts.flatMap((part) => part.split(',')).map((part) => part.trim().toLowerCase()));
  ids.delete('');
  if (ids.size > MAX_IDS) return error('array.max', { limit: MAX_IDS });
  return ids.size === 0 ? undefined : [...ids].filter((id) => readUuid(id) !== null);
}
