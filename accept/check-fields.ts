import { validate } from '../schemas/rules';
import { messageRules, type MessageContext, type MessageFields } from '../schemas/send-message';
import type { Fields } from '../schemas/normalize';
import { Refusal, type Checked } from './refusal';

/** Check 2: fields, metadata and attachments; `now` in ms. */
export function checkFields(fields: Fields, now: number): Checked<MessageFields> {
  const read = validate(messageRules, fields, { now } satisfies MessageContext);
  return read.ok ? read.value : Refusal.ofFields('invalid_fields', read.errors);
}
