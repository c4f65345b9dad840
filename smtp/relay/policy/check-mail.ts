import { normalize } from '../../../schemas/rules/normalize';
import { idempotencyKeyFault } from '../../../schemas/messages/idempotency-key';
import { validate } from '../../../schemas/rules/rules';
import { messageShape, RELAY_HEADERS, relayedRules, type RelayedFields } from '../../../schemas/messages/send-message';
import { summary } from '../../../schemas/rules/validation-messages';
import type { SubmittedMail } from '../mail/submitted-mail';
import type { Reply } from '../protocol/policy';
import { reply } from './replies';

/** Fields of which too much makes the mail too large. */
const SIZES = ['subject', 'html', 'text'];

/**
 * The fields of a mail after the rules of POST /messages (docs/contract.md#relay-replies), or the reply that refuses
 * it: 552 5.3.4 for a subject or content that is too long, 554 5.6.0 for every other fault.
 */
export function checkMail(mail: SubmittedMail): { fields: RelayedFields } | Reply {
  const { from, subject, replyTo, html, text, idempotencyKey } = mail;
  const submitted = {
    subject,
    html,
    text,
    from_email: from.address,
    from_name: from.name,
    reply_to: replyTo,
    ...Object.fromEntries(RELAY_HEADERS.map(({ name }) => [name, mail[name]])),
  };
  const read = validate<RelayedFields>(relayedRules, normalize(messageShape, submitted, 'json'));
  if (!read.ok) {
    const isTooLong = Object.keys(read.errors).some((field) => SIZES.includes(field));
    return isTooLong ? reply(552, '5.3.4', summary(read.errors)) : reply(554, '5.6.0', summary(read.errors));
  }
  const fault = idempotencyKey === null ? null : idempotencyKeyFault('X-Kurir-Idempotency-Key', idempotencyKey);
  return fault === null ? { fields: read.value } : reply(554, '5.6.0', String(fault));
}
