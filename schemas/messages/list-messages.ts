import Joi, { type CustomHelpers } from 'joi';
import type { Channel, MessageStatus } from '../../domain/messages/message';
import { canonicalAddress, isEmailAddress } from '../rules/email-address';
import { channel, messageStatus } from '../rules/enums';
import { readIntegerId, readUuid } from '../rules/ids';
import { pageNumber } from '../rules/page';
import type { Shape } from '../rules/normalize';
import { inJsonSchema } from '../rules/json-schema';
import { moment } from '../rules/timestamp-rules';

/** Maximum number of ids in one batch status check (docs/contract.md#batch-status-check). */
export const MAX_IDS = 100;

export const messageListShape = {
  ids: 'list',
  to: 'text',
  since: 'text',
  until: 'text',
  channel: 'text',
  status: 'text',
  page: 'integer',
} as const satisfies Shape;

/** A recipient to look for: an address in its canonical spelling, or the id of a contact, which may be deleted. */
export type RecipientRef = { address: string } | { contactId: number };

export interface MessageListQuery {
  /** Well-formed ids in the requested order, without repeats; absent for the plain list. */
  ids?: string[];
  to?: RecipientRef;
  /** ms */
  since?: number;
  until?: number;
  channel?: Channel;
  status?: MessageStatus;
  page?: number;
}

/** The query of GET /messages (docs/contract.md#list-of-messages). */
export const messageListRules = Joi.object<MessageListQuery>({
  ids: Joi.any()
    .custom(readIds)
    .meta(inJsonSchema({ type: 'string' })),
  to: Joi.string()
    .custom((value: string, { error }: CustomHelpers<string>) => readRecipient(value) ?? error('recipient.invalid'))
    .meta(inJsonSchema({ anyOf: [{ format: 'idn-email' }, { pattern: '^[1-9]\\d{0,14}$' }] })),
  since: moment,
  until: moment,
  channel,
  status: messageStatus,
  page: pageNumber,
});

/** Null when the text is neither an address nor an id. */
export function readRecipient(text: string): RecipientRef | null {
  const contactId = readIntegerId(text);
  if (contactId !== null) return { contactId };
  return isEmailAddress(text) ? { address: canonicalAddress(text) } : null;
}

function readIds(value: unknown, { error }: CustomHelpers): unknown {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (!parts.every((part) => typeof part === 'string')) return error('array.base');
  const ids = new Set(parts.flatMap((part) => part.split(',')).map((part) => part.trim().toLowerCase()));
  ids.delete('');
  if (ids.size > MAX_IDS) return error('array.max', { limit: MAX_IDS });
  return ids.size === 0 ? undefined : [...ids].filter((id) => readUuid(id) !== null);
}
