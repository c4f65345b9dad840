import Joi, { type ObjectSchema, type Schema } from 'joi';
import type { Draft } from '../../domain/messages/make-message';
import type { Metadata } from '../../domain/messages/message';
import { looked, known, type Dependence } from '../rules/alternatives';
import { headerAddress } from '../rules/address-rules';
import { attachments, attachmentShape, MAX_ATTACHMENTS, type AttachmentFields } from './attachment';
import { metadata } from './metadata';
import { sendAt } from './send-at';
import { variables } from '../templates/variables';
import { shortText, text } from '../rules/text';
import type { FieldKind, Fields, Shape } from '../rules/normalize';
import { inJsonSchema, plainly, type RuleFacts } from '../rules/json-schema';
import { asciiDomainAddress, MAX_ADDRESS } from '../rules/email-address';

export const MAX_SUBJECT = 255;
/** Of the HTML and of the text, characters. */
export const MAX_BODY = 500_000;
const MAX_FROM_NAME = 100;

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

/** What a field of POST /messages is beside its rule. */
interface Uses {
  /** The content, which a template takes the place of, or what needs a template. */
  template?: 'without' | 'only';
  /** The fact of the message that it becomes as it is, or `toFact` of it. */
  fact?: keyof Draft;
  toFact?: (value: string) => string;
  /**
   * The header that gives it in a mail of the SMTP relay: an object as JSON, or text
   * (docs/contract.md#relay-headers).
   */
  header?: string;
}
interface Given extends Uses {
  read: FieldKind;
  rule: Schema;
  /** What it is, for the document of the API. */
  about: string;
}
const given = <const K extends FieldKind, const U extends Uses>(read: K, rule: Schema, about: string, uses?: U) =>
  ({ read, rule, about, ...uses }) as { read: K; rule: Schema; about: string } & U;

const recipient = Joi.string().meta({
  ...inJsonSchema({ format: 'idn-email', minLength: 1, maxLength: MAX_ADDRESS }),
  ...plainly(shortText(MAX_ADDRESS)),
});
const id = Joi.number()
  .integer()
  .meta(inJsonSchema({ minimum: 1 }));

/**
 * The fields of POST /messages (docs/contract.md#message-fields), in the order of their faults: the shape, the rules,
 * the document, the relay's headers and the facts of the message follow from this.
 */
const FIELDS = {
  // Check 1 has already checked that it is a valid address.
  to: given('text', recipient.required(), 'One email address.'),
  from_email: given(
    'text',
    headerAddress,
    'Must use the domain of sending_domain_id, not a subdomain. Default: `no-reply@` plus that domain.',
  ),
  from_name: given('text', text(MAX_FROM_NAME), 'Default: the business name.', { fact: 'fromName' }),
  reply_to: given('text', headerAddress, 'Reply address; may be any domain.', {
    fact: 'replyTo',
    toFact: asciiDomainAddress,
  }),
  metadata: given(
    'raw',
    metadata,
    'Your own data, returned with the status and in every webhook. At most 10 keys of A-Z a-z 0-9 _ . - with plain values.',
    { fact: 'metadata', header: 'X-Kurir-Metadata' },
  ),
  // Below 1 is no domain of the account either.
  sending_domain_id: given(
    'integer',
    id.meta(plainly(Number.isSafeInteger)).required(),
    'ID of an owned domain with status active.',
  ),
  attachments: given(
    { items: attachmentShape, most: MAX_ATTACHMENTS },
    attachments,
    'At most 10, 10 MB decoded in total. Files that run code (.exe, .bat, .js, .iso ...) are rejected. Kept only until ' +
      'the message is sent, at most 4 days after send_at.',
  ),
  send_at: given(
    'text',
    sendAt,
    'When to send it: ISO 8601 with an offset, at most 30 days ahead. Until then it is `queued`. Balance, suppression and contact ' +
      'are checked again when it is due.',
    { fact: 'sendAt' },
  ),
  template_id: given('integer', id, 'A template of the workspace, instead of subject, html and text.'),
  // Last, as Joi checks what depends on another field.
  subject: given('text', text(MAX_SUBJECT).required(), 'Can contain merge tags.', { template: 'without' }),
  html: given('text', text(MAX_BODY).required(), 'Can contain merge tags.', { template: 'without' }),
  text: given('text', text(MAX_BODY), 'Generated from html when empty.', { template: 'without' }),
  variables: given(
    'raw',
    variables,
    'A value for each variable of the template, of its type: text of at most 2,000 characters, or a number.',
    { template: 'only' },
  ),
} satisfies Record<keyof MessageFields, Given>;
const GIVEN = Object.entries<Given>(FIELDS);

const ofEach = <T>(part: (field: Given) => T): Record<string, T> =>
  Object.fromEntries(GIVEN.map(([name, field]) => [name, part(field)]));

/** How each field is read. */
export const messageShape: Shape = ofEach(({ read }) => read);

/** What each field is, for the document of the API. */
export const MESSAGE_FIELD_TEXTS = ofEach(({ about }) => about);

/** Check 2 of POST /messages; the template and its variables are looked up afterwards. */
const rulesWith = ({ without, onlyWith }: Dependence): ObjectSchema<MessageFields> =>
  Joi.object<MessageFields>(
    ofEach(({ rule, template }) => {
      if (template === undefined) return rule;
      return template === 'without' ? without('template_id', rule) : onlyWith('template_id', rule, 'variables.alone');
    }),
  ).meta({ variants: { present: 'TemplateMessage', absent: 'ContentMessage' } });

/** The rules as the OpenAPI document describes them. */
export const messageRules = rulesWith(looked);

const templateRules = rulesWith(known(true));
const contentRules = rulesWith(known(false));

/** The same rules for a message whose fields are known: cheaper, since nothing depends on another field any more. */
export const messageRulesFor = (fields: Fields): ObjectSchema<MessageFields> =>
  fields['template_id'] === undefined ? contentRules : templateRules;

interface DescribedRule {
  flags?: { presence?: string };
  metas?: RuleFacts[];
}
const CONTENT = Object.entries(contentRules.describe()['keys'] as Record<string, DescribedRule>);
const REQUIRED = CONTENT.flatMap(([name, { flags }]) => (flags?.presence === 'required' ? [name] : []));
/** For each field whose rule says so: true for a value that the rule certainly leaves as it is. */
const PLAIN = new Map(
  CONTENT.flatMap(([name, { metas = [] }]) => metas.flatMap(({ plain }) => (plain ? [[name, plain] as const] : []))),
);

/**
 * True for fields with which the rules certainly find no fault and change nothing, as those of nearly all messages. Joi
 * takes twenty times as long to say so; what is false here may be right, and Joi decides.
 */
export function isPlainMessage(fields: Fields): fields is Fields & MessageFields {
  for (const name of REQUIRED) if (fields[name] === undefined) return false;
  for (const name of Object.keys(fields)) if (!PLAIN.get(name)?.(fields[name])) return false;
  return true;
}

const FACTS = GIVEN.flatMap(([name, { fact, toFact }]) => (fact ? [[name, fact, toFact] as const] : []));

/** The facts of a message that its caller gives as they are, and that another mail of the same content has too. */
export const REPEATED_FACTS = FACTS.flatMap(([name, fact]) => (name === 'send_at' ? [] : [fact]));

/** The facts of a message by the fields of its caller, but for its sender and content. */
export function givenFacts(fields: Partial<MessageFields>): Omit<Draft, 'channel' | 'lane' | 'subject'> {
  const facts: Record<string, unknown> = {};
  for (const [name, fact, toFact] of FACTS) {
    const value = (fields as Fields)[name];
    if (value !== undefined) facts[fact] = toFact ? toFact(value as string) : value;
  }
  return facts;
}

type InHeader = {
  [N in keyof typeof FIELDS]: (typeof FIELDS)[N] extends { header: string } ? N : never;
}[keyof typeof FIELDS];

/** What these headers of a mail say, not yet checked against the limits; null: nothing. */
export type HeaderValues = {
  [N in InHeader]: ((typeof FIELDS)[N]['read'] extends 'raw' ? object : string) | null;
};

/** The fields that a mail of the SMTP relay gives in a header of ours: `raw` as JSON, others as text. */
export const RELAY_HEADERS = GIVEN.flatMap(([name, { header, read }]) =>
  header === undefined ? [] : [{ name: name as InHeader, header, read }],
);
const RELAYED = ['subject', 'html', 'from_email', 'from_name', 'reply_to', 'text'] as const;

/** The fields of a mail of the SMTP relay. The subject and the content may be empty; sender and recipient are known. */
export type RelayedFields = Partial<Pick<MessageFields, (typeof RELAYED)[number] | InHeader>>;

/** The rules of POST /messages for the fields that a mail of the SMTP relay has (docs/contract.md#relay-headers). */
export const relayedRules = Joi.object<RelayedFields>(
  Object.fromEntries(
    [...RELAYED, ...RELAY_HEADERS.map(({ name }) => name)].map((name) => [name, FIELDS[name].rule.optional()]),
  ),
);
