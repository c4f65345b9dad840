import Joi, { type CustomHelpers } from 'joi';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message';
import type { Shape } from './tidy';

/** Most ids of one batch status check (spec section 8). */
export const MAX_IDS = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const messageListShape = { ids: 'text', status: 'text', page: 'integer' } as const satisfies Shape;

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
  page: Joi.number().integer().min(1),
});

/** The id in lower case when it is a UUID, else null. */
export function readUuid(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

function readIds(value: string | string[], { error }: CustomHelpers): unknown {
  const parts = (Array.isArray(value) ? value.join(',') : value).split(',');
  const asked = new Set(parts.map((part) => part.trim().toLowerCase()).filter(Boolean));
  if (asked.size > MAX_IDS) return error('array.max', { limit: MAX_IDS });
  return asked.size === 0 ? undefined : [...asked].filter((id) => UUID.test(id));
}
