import Joi from 'joi';
import type { Metadata } from '../domain/message';
import { headerAddress } from './address-rules';
import { attachments, attachmentShape, MAX_ATTACHMENTS, type AttachmentFields } from './attachment';
import { metadata } from './metadata';
import { text } from './text';
import type { Shape } from './normalize';
import { inJsonSchema } from './json-schema';
import { MAX_ADDRESS } from './email-address';

const MAX_SUBJECT = 255;
/** Of the HTML and of the text, characters. */
export const MAX_BODY = 500_000;
const MAX_FROM_NAME = 100;

/** The fields of POST /messages (docs/contract.md#message-fields). */
export const messageShape = {
  to: 'text',
  subject: 'text',
  html: 'text',
  sending_domain_id: 'integer',
  from_email: 'text',
  from_name: 'text',
  reply_to: 'text',
  text: 'text',
  metadata: 'raw',
  attachments: { items: attachmentShape, most: MAX_ATTACHMENTS },
} as const satisfies Shape;

export interface MessageFields {
  to: string;
  subject: string;
  html: string;
  sending_domain_id: number;
  from_email?: string;
  from_name?: string;
  reply_to?: string;
  text?: string;
  metadata?: Metadata;
  attachments?: AttachmentFields[];
}

/** Check 2 of POST /messages. Check 1 has already checked that `to` is a valid address. */
export const messageRules = Joi.object<MessageFields>({
  to: Joi.string()
    .required()
    .meta(inJsonSchema({ format: 'idn-email', minLength: 1, maxLength: MAX_ADDRESS })),
  subject: text(MAX_SUBJECT).required(),
  html: text(MAX_BODY).required(),
  // Below 1 is no domain of the account either.
  sending_domain_id: Joi.number()
    .integer()
    .required()
    .meta(inJsonSchema({ minimum: 1 })),
  from_email: headerAddress,
  from_name: text(MAX_FROM_NAME),
  reply_to: headerAddress,
  text: text(MAX_BODY),
  metadata,
  attachments,
});

/** The fields of a mail of the SMTP relay. The subject and the content may be empty; sender and recipient are known. */
export type RelayedFields = Partial<Omit<MessageFields, 'to' | 'sending_domain_id' | 'attachments'>>;

/** The rules of POST /messages for the fields that a mail of the SMTP relay has (docs/contract.md#relay-headers). */
export const relayedRules = messageRules.fork(['to', 'subject', 'html', 'sending_domain_id'], (rule) =>
  rule.optional(),
) as Joi.ObjectSchema<RelayedFields>;
