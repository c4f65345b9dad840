import Joi from 'joi';
import { BOUNCE_CLASSES } from '../domain/bounces/bounce-class';
import { builtInRules } from '../domain/bounces/bounce-rules';
import { LEDGER_KINDS } from '../domain/ledger/coins';
import { FEEDBACK_KINDS, type Feedback } from '../domain/messages/feedback';
import { MESSAGE_EVENTS, SIGNAL_KINDS } from '../domain/engagement/signal';
import { CLIENT_CLASSES } from '../domain/engagement/machine';
import type { RecordValues } from './record-values';

/** One version of a topic's records. */
export interface RecordVersion {
  schema: Joi.Schema;
  /** Upgrades a valid value of this version to the next. Every version but the newest has it. */
  upgrade?: (value: unknown) => unknown;
}

/** By topic, its versions in order; version 1 comes first. */
export type RecordVersions = { readonly [T in keyof RecordValues]: readonly RecordVersion[] };

const whole = Joi.number().integer();
const id = whole.min(1).required();
const time = whole.min(0).required();
const text = Joi.string().min(1);
const uuid = Joi.string().guid();

/** Unknown fields pass: during a rolling replacement, an older program may read what a newer one wrote. */
const fields = (keys: Joi.PartialSchemaMap): Joi.ObjectSchema => Joi.object(keys).unknown().required();

/** The fields of a recipient's action, in every version. */
const hit = {
  id: text.max(200).required(),
  messageId: uuid.required(),
  kind: Joi.string()
    .valid(...SIGNAL_KINDS)
    .required(),
  at: time,
};
const ofClicks = (rule: Joi.Schema): Joi.Schema =>
  Joi.when('kind', { is: 'click', then: rule, otherwise: Joi.valid(null) });

interface HitOfVersion1 {
  link?: number | null;
  url?: string | null;
}

/** Keeps the destination of a click only when its place is not known. */
function upgradeHit(value: unknown): unknown {
  const { link = null, url = null, ...rest } = value as HitOfVersion1;
  return link === null && url !== null ? { ...rest, link, url } : { ...rest, link };
}

/** What no record of version 1 or 2 says of its request: pages recorded GET only, and the button of the other page. */
function withoutFacts(value: unknown): unknown {
  const hit = value as { kind: string };
  return { ...hit, method: hit.kind === 'unsubscribe' ? 'POST' : 'GET', agent: null, network: null, client: null };
}

const clientClass = Joi.string()
  .valid(...CLIENT_CLASSES, null)
  .required();

/**
 * The sign must match the kind: a refund that takes or a penalty that gives is a bug of the writer. It is easier to
 * prevent a wrong coin than to correct it.
 */
const ledgerEntry = fields({
  id: text.max(300).required(),
  workspaceId: id,
  kind: Joi.string()
    .valid(...LEDGER_KINDS)
    .required(),
  amount: whole
    .invalid(0)
    .when('kind', { is: Joi.valid('debit', 'penalty'), then: Joi.number().negative() })
    .when('kind', { is: Joi.valid('refund', 'topup'), then: Joi.number().positive() })
    .required(),
  messageId: uuid.allow(null).required(),
  at: time,
  gate: Joi.object({ key: text.max(300).required(), windowMs: whole.min(1).required() }).unknown(),
  purchase: Joi.object({ expiresAt: whole.allow(null).required() }).unknown(),
});

const feedbackOfVersion1 = {
  kind: Joi.string()
    .valid(...FEEDBACK_KINDS)
    .required(),
  trusted: Joi.boolean().required(),
  text: Joi.string().allow('').required(),
  at: time,
};

/** Reports from before classes have none: their text is read now. */
function upgradeFeedback(value: unknown): unknown {
  const { feedback, ...rest } = value as { feedback: Omit<Feedback, 'class' | 'hard'> };
  const isFailure = feedback.kind === 'bounced' || feedback.kind === 'expired';
  const { class: found, hard } = isFailure ? builtInRules.classify(feedback.text) : { class: null, hard: false };
  return { ...rest, feedback: { ...feedback, class: found, hard: hard && feedback.kind === 'bounced' } };
}

const event = fields({
  workspaceId: id,
  messageId: uuid.required(),
  event: Joi.string()
    .valid(...MESSAGE_EVENTS)
    .required(),
  occurredAt: time,
  link: whole.min(0),
  reason: Joi.string().allow(''),
  key: text.max(200),
});

const sale = {
  id: uuid.required(),
  workspaceId: id,
  amount: whole.required(),
  messageId: uuid.allow(null).required(),
  contactId: whole.min(1).allow(null).required(),
  // A sale may have been before 1970: POST /conversions takes any time of the past.
  occurredAt: whole.required(),
  receivedAt: time,
};

/** Version 1 only knew reports, and had their order ids. */
function upgradeConversion(value: unknown): unknown {
  const { orderId: _, ...rest } = value as { orderId: string | null };
  return { ...rest, kind: 'reported', clickedAt: null };
}

/**
 * The schema of every record, by topic and version. A change that an older program would misread needs a new version:
 * add its schema at the end, and an `upgrade` to the version before. A new optional field needs no version.
 */
export const RECORD_VERSIONS: RecordVersions = {
  'messages.accepted': [{ schema: fields({ workspaceId: id, messageId: uuid.required() }) }],
  'messages.dispatch': [{ schema: fields({ messageId: uuid.required(), attempt: whole.min(0).required() }) }],
  'mta.feedback': [
    { schema: fields({ messageId: uuid.required(), feedback: fields(feedbackOfVersion1) }), upgrade: upgradeFeedback },
    {
      schema: fields({
        messageId: uuid.required(),
        feedback: fields({
          ...feedbackOfVersion1,
          class: Joi.string()
            .valid(...BOUNCE_CLASSES)
            .allow(null)
            .required(),
          hard: Joi.boolean().required(),
        }),
      }),
    },
  ],
  'message.events': [{ schema: event }],
  'coins.entries': [{ schema: ledgerEntry }],
  'engagement.hits': [
    {
      schema: fields({ ...hit, link: ofClicks(whole.min(0)), url: ofClicks(text) }).or('link', 'url'),
      upgrade: upgradeHit,
    },
    { schema: fields({ ...hit, link: ofClicks(whole.min(0).required()).required() }), upgrade: withoutFacts },
    {
      schema: fields({
        ...hit,
        kind: Joi.string().valid('open', 'click', 'unsubscribe', 'hidden').required(),
        link: ofClicks(whole.min(0).required()).required(),
        method: Joi.string().valid('GET', 'HEAD', 'POST').required(),
        agent: clientClass,
        network: clientClass,
        client: text.max(16).allow(null).required(),
      }),
    },
  ],
  conversions: [
    { schema: fields({ ...sale, orderId: Joi.string().allow('', null).required() }), upgrade: upgradeConversion },
    {
      schema: fields({
        ...sale,
        kind: Joi.string().valid('reported', 'linked').required(),
        clickedAt: whole.allow(null).required(),
      }),
    },
  ],
  'campaigns.sends': [{ schema: fields({ workspaceId: id, campaignId: id }) }],
  'journeys.enrollments': [
    { schema: fields({ enrollmentId: uuid.required(), workspaceId: id, journeyId: id, contactId: id }) },
  ],
};
