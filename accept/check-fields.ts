import { validate } from '../schemas/rules';
import { messageRules, type MessageFields } from '../schemas/send-message';
import type { Fields } from '../schemas/normalize';
import { Refusal, type Checked } from './refusal';

/** Check 2: fields, metadata and attachments. */
export function checkFields(fields: Fields): Checked<MessageFields> {
  const read = validate(messageRules, fields);
  return read.ok ? read.value : Refusal.ofFields('invalid_fields', read.errors);
}
