import Joi, { type CustomHelpers, type Schema } from 'joi';
import { LISTED_FACTS, type ListedFacts, type MessageStatus } from '../../domain/messages/message';
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
  ...Object.fromEntries(LISTED_FACTS.map((name) => [name, 'text'] as const)),
  status: 'text',
  page: 'integer',
} satisfies Shape;

/** The facts that a list can be narrowed to: the rule of each, and what it is for the document of the API. */
const LISTED = {
  channel: { rule: channel, about: 'Only messages that were sent this way.' },
} as const satisfies { [N in keyof ListedFacts]-?: { rule: Schema; about: string } };

export const LISTED_TEXTS = Object.fromEntries(LISTED_FACTS.map((name) => [name, LISTED[name].about]));

/** A recipient to look for: an address in its canonical spelling, or the id of a contact, which may be deleted. */
export type RecipientRef = { address: string } | { contactId: number };

export interface MessageListQuery extends ListedFacts {
  /** Well-formed ids in the requested order, without repeats; absent for the plain list. */
  ids?: string[];
  to?: RecipientRef;
  /** ms */
  since?: number;
  until?: number;
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
  ...Object.fromEntries(LISTED_FACTS.map((name) => [name, LISTED[name].rule])),
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
