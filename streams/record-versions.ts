import Joi from 'joi';
import { BOUNCE_CLASSES } from '../domain/bounces/bounce-class';
import { LEDGER_KINDS } from '../domain/ledger/coins';
import { FEEDBACK_KINDS } from '../domain/messages/feedback';
import { CLIENT_CLASSES, HIT_KINDS, HIT_METHODS } from '../domain/engagement/machine';
import { MESSAGE_EVENTS } from '../domain/engagement/signal';
import { CONVERSION_RECORD_KINDS, type RecordValues } from './record-values';

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

/** One of the values of a list of the domain. */
const oneOf = (values: readonly (string | null)[]): Joi.Schema =>
  Joi.any()
    .valid(...values)
    .required();

/**
 * The sign must match the kind: a refund that takes or a penalty that gives is a bug of the writer. It is easier to
 * prevent a wrong coin than to correct it.
 */
const ledgerEntry = fields({
  id: text.max(300).required(),
  workspaceId: id,
  kind: oneOf(LEDGER_KINDS),
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

const event = fields({
  workspaceId: id,
  messageId: uuid.required(),
  event: oneOf(MESSAGE_EVENTS),
  occurredAt: time,
  link: whole.min(0),
  reason: Joi.string().allow(''),
  key: text.max(200),
});

/**
 * The schema of every record, by topic and version. A change that an older program would misread needs a new version:
 * add its schema at the end, and an `upgrade` to the version before. A new optional field needs no version.
 */
export const RECORD_VERSIONS: RecordVersions = {
  'messages.accepted': [{ schema: fields({ workspaceId: id, messageId: uuid.required(), bulk: Joi.valid(true) }) }],
  'messages.dispatch': [
    {
      schema: fields({
        messageId: uuid.required(),
        attempt: whole.min(0).required(),
        lane: Joi.valid('journey', 'campaign'),
        server: text.max(100),
      }),
    },
  ],
  'mta.feedback': [
    {
      schema: fields({
        messageId: uuid.required(),
        feedback: fields({
          kind: oneOf(FEEDBACK_KINDS),
          trusted: Joi.boolean().required(),
          text: Joi.string().allow('').required(),
          at: time,
          class: oneOf([...BOUNCE_CLASSES, null]),
          hard: Joi.boolean().required(),
        }),
      }),
    },
  ],
  'message.events': [{ schema: event }],
  'coins.entries': [{ schema: ledgerEntry }],
  'engagement.hits': [
    {
      schema: fields({
        id: text.max(200).required(),
        messageId: uuid.required(),
        kind: oneOf(HIT_KINDS),
        at: time,
        link: Joi.when('kind', { is: 'click', then: whole.min(0), otherwise: Joi.valid(null) }).required(),
        method: oneOf(HIT_METHODS),
        agent: oneOf([...CLIENT_CLASSES, null]),
        network: oneOf([...CLIENT_CLASSES, null]),
        client: text.max(16).allow(null).required(),
      }),
    },
  ],
  conversions: [
    {
      schema: fields({
        id: uuid.required(),
        workspaceId: id,
        amount: whole.required(),
        messageId: uuid.allow(null).required(),
        contactId: whole.min(1).allow(null).required(),
        // A sale may have been before 1970: POST /conversions takes any time of the past.
        occurredAt: whole.required(),
        receivedAt: time,
        kind: oneOf(CONVERSION_RECORD_KINDS),
        clickedAt: whole.allow(null).required(),
      }),
    },
  ],
  'journeys.enrollments': [
    { schema: fields({ enrollmentId: uuid.required(), workspaceId: id, journeyId: id, contactId: id }) },
  ],
};
