import Joi, { type CustomHelpers } from 'joi';
import { emailAddress } from '../rules/address-rules';
import { insteadOf } from '../rules/alternatives';
import { readUuid } from '../rules/ids';
import { inJsonSchema } from '../rules/json-schema';
import { text } from '../rules/text';
import { timestamp } from '../rules/timestamp-rules';
import type { Shape } from '../rules/normalize';

/** Whole rupiah (docs/contract.md#report-a-conversion). */
const MAX_AMOUNT = 10_000_000_000;
const MAX_ORDER_ID = 191;

/** The fields of POST /conversions (docs/contract.md#report-a-conversion). */
export const newConversionShape = {
  amount: 'integer',
  email: 'text',
  message_id: 'text',
  order_id: 'text',
  occurred_at: 'text',
} as const satisfies Shape;

export interface NewConversionFields {
  amount: number;
  /** Ignored if message_id is set. */
  email?: string;
  /** In lower case. */
  message_id?: string;
  order_id?: string;
  /** ms */
  occurred_at?: number;
}

/** The id of a message, read to lower case. */
export const conversionMessageId = Joi.string()
  .custom((value: string, { error }: CustomHelpers<string>) => readUuid(value) ?? error('uuid.invalid'))
  .meta(inJsonSchema({ format: 'uuid' }));
/** A time in the future is refused later, by the endpoint that has the clock. */
export const newConversionRules = Joi.object<NewConversionFields>({
  amount: Joi.number().integer().min(0).max(MAX_AMOUNT).required(),
  email: insteadOf('message_id', emailAddress),
  message_id: conversionMessageId,
  order_id: text(MAX_ORDER_ID),
  occurred_at: timestamp,
}).meta({ variants: { present: 'ConversionByMessage', absent: 'ConversionByEmail' } });
