import Joi, { type ObjectSchema } from 'joi';
import type { Metadata } from '../../domain/messages/message';
import { looked, settled, type Dependence } from '../rules/alternatives';
import { headerAddress, isHeaderAddress } from '../rules/address-rules';
import { attachments, attachmentShape, MAX_ATTACHMENTS, type AttachmentFields } from './attachment';
import { isMetadata, metadata } from './metadata';
import { sendAt } from './send-at';
import { variables } from '../templates/variables';
import { text } from '../rules/text';
import type { Fields, Shape } from '../rules/normalize';
import { inJsonSchema } from '../rules/json-schema';
import { MAX_ADDRESS } from '../rules/email-address';

export const MAX_SUBJECT = 255;
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
  send_at: 'text',
  template_id: 'integer',
  variables: 'raw',
} as const satisfies Shape;

export interface MessageFields {
  to: string;
  /** Absent with a template. */
  subject?: string;
  /** Absent with a template. */
  html?: string;
  sending_domain_id: number;
  from_email?: string;
  from_name?: string;
  reply_to?: string;
  text?: string;
  metadata?: Metadata;
  attachments?: AttachmentFields[];
  /** ms; null: at once. */
  send_at?: number | null;
  template_id?: number;
  /** Not checked against the template yet. */
  variables?: Record<string, unknown>;
}

/** What the rules have to be given: the time now, ms. Without it no `send_at` is in the past or too far. */
export interface MessageContext {
  now?: number;
}

const fields = {
  subject: text(MAX_SUBJECT),
  html: text(MAX_BODY),
  from_email: headerAddress,
  from_name: text(MAX_FROM_NAME),
  reply_to: headerAddress,
  text: text(MAX_BODY),
  metadata,
};

/**
 * Check 2 of POST /messages. Check 1 has already checked that `to` is a valid address; the template and its variables
 * are looked up afterwards.
 */
const { subject, html, text: plainText, ...others } = fields;

const rulesWith = ({ without, onlyWith }: Dependence): ObjectSchema<MessageFields> =>
  Joi.object<MessageFields>({
    to: Joi.string()
      .required()
      .meta(inJsonSchema({ format: 'idn-email', minLength: 1, maxLength: MAX_ADDRESS })),
    ...others,
    // Below 1 is no domain of the account either.
    sending_domain_id: Joi.number()
      .integer()
      .required()
      .meta(inJsonSchema({ minimum: 1 })),
    attachments,
    send_at: sendAt,
    template_id: Joi.number()
      .integer()
      .meta(inJsonSchema({ minimum: 1 })),
    // Last, as Joi checks what depends on another field.
    subject: without('template_id', subject.required()),
    html: without('template_id', html.required()),
    text: without('template_id', plainText),
    variables: onlyWith('template_id', variables, 'variables.alone'),
  }).meta({ variants: { present: 'TemplateMessage', absent: 'ContentMessage' } });

/** The rules as the OpenAPI document describes them. */
export const messageRules = rulesWith(looked);

const templateRules = rulesWith(settled(true));
const contentRules = rulesWith(settled(false));

/** The same rules for a message whose fields are known: cheaper, since nothing depends on another field any more. */
export const messageRulesFor = (fields: Fields): ObjectSchema<MessageFields> =>
  fields['template_id'] === undefined ? contentRules : templateRules;

const shortText =
  (max: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value !== '' && value.length <= max;
const address = (value: unknown): boolean => typeof value === 'string' && isHeaderAddress(value);

/** For each field that most messages have: true for a value that the rules certainly leave as it is. */
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  to: shortText(MAX_ADDRESS),
  subject: shortText(MAX_SUBJECT),
  html: shortText(MAX_BODY),
  text: shortText(MAX_BODY),
  sending_domain_id: Number.isSafeInteger,
  from_email: address,
  from_name: shortText(MAX_FROM_NAME),
  reply_to: address,
  metadata: isMetadata,
};
const REQUIRED = ['to', 'subject', 'html', 'sending_domain_id'];

/**
 * True for fields with which the rules certainly find no fault and change nothing, as those of nearly all messages. Joi
 * takes twenty times as long to say so; what is false here may be right, and Joi decides.
 */
export function isPlainMessage(fields: Fields): fields is Fields & MessageFields {
  for (const name of REQUIRED) if (fields[name] === undefined) return false;
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(PLAIN, name) || !PLAIN[name]!(fields[name])) return false;
  }
  return true;
}

/** The fields of a mail of the SMTP relay. The subject and the content may be empty; sender and recipient are known. */
export type RelayedFields = Pick<
  MessageFields,
  'subject' | 'html' | 'from_email' | 'from_name' | 'reply_to' | 'text' | 'metadata'
>;

/** The rules of POST /messages for the fields that a mail of the SMTP relay has (docs/contract.md#relay-headers). */
export const relayedRules = Joi.object<RelayedFields>(fields);
