import { validate } from '../../../schemas/rules/rules';
import {
  isPlainMessage,
  messageRulesFor,
  type MessageContext,
  type MessageFields,
} from '../../../schemas/messages/send-message';
import type { Fields } from '../../../schemas/rules/normalize';
import { Refusal, type Checked } from './refusal';

/** Check 2: fields, metadata and attachments; `now` in ms. */
export function checkFields(fields: Fields, now: number): Checked<MessageFields> {
  if (isPlainMessage(fields)) return fields;
  // A context costs as much as all other rules, and only one field asks for it.
  const context = fields['send_at'] === undefined ? undefined : ({ now } satisfies MessageContext);
  const read = validate(messageRulesFor(fields), fields, context);
  return read.ok ? read.value : Refusal.ofFields('invalid_fields', read.errors);
}
