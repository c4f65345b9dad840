import Joi, { type CustomHelpers } from 'joi';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message';
import type { Shape } from './tidy';

/** Most ids of one batch status check (spec section 8). */
export const MAX_IDS = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const messageListShape = { ids: 'list', status: 'text', page: 'integer' } as const satisfies Shape;

export interface MessageListQuery {
  /** Well-formed ids in the order asked, each once; absent for the plain list. */
  ids?: string[];
  status?: MessageStatus;
  page?: number;
}

/** The query of GET /messages (DESIGN section 6). */
export const messageListRules = Joi.object<MessageListQuery>({
  ids: Joi.any().custom(readIds),
  status: Joi.any().valid(...MESSAGE_STATUSES),
  page: Joi.any().custom(readPage),
});

/** The id in lower case when it is a UUID, else null. */
export function readUuid(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

function readIds(value: unknown, { error }: CustomHelpers): unknown {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (!parts.every((part) => typeof part === 'string')) return error('array.base');
  const asked = new Set(parts.flatMap((part) => part.split(',')).map((part) => part.trim().toLowerCase()));
  asked.delete('');
  if (asked.size > MAX_IDS) return error('array.max', { limit: MAX_IDS });
  return asked.size === 0 ? undefined : [...asked].filter((id) => UUID.test(id));
}

/** A number too large to count with is a page beyond the last like any other (DESIGN section 6). */
function readPage(value: unknown, { error }: CustomHelpers): unknown {
  if (typeof value !== 'number') return error('number.integer');
  return value < 1 ? error('number.min', { limit: 1 }) : Math.min(value, Number.MAX_SAFE_INTEGER);
}
