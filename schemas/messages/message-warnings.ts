import { messageShape } from './send-message';
import { fieldWarnings, type Meanings } from '../rules/unknown-fields';

/** Other names of the time to send at. */
const SEND_AT = ['scheduled', 'scheduledat', 'scheduledfor', 'schedule', 'deliverat', 'deliverytime', 'sendlater'];

/** Other names of the values of a template. */
const VARIABLES = ['templatedata', 'templatemodel', 'dynamictemplatedata', 'params', 'mergevars', 'substitutions'];

const MEANINGS: Meanings = {
  fields: {
    from: 'from_email',
    sender: 'from_email',
    fromaddress: 'from_email',
    sendername: 'from_name',
    fullname: 'from_name',
    recipient: 'to',
    email: 'to',
    recipients: 'to',
    toemail: 'to',
    htmlbody: 'html',
    body: 'html',
    content: 'html',
    htmlcontent: 'html',
    textbody: 'text',
    plaintext: 'text',
    plain: 'text',
    textcontent: 'text',
    replyto: 'reply_to',
    domain: 'sending_domain_id',
    domainid: 'sending_domain_id',
    sendingdomain: 'sending_domain_id',
    attachment: 'attachments',
    files: 'attachments',
    meta: 'metadata',
    customargs: 'metadata',
    template: 'template_id',
    templateid: 'template_id',
    ...Object.fromEntries(VARIABLES.map((name) => [name, 'variables'])),
    ...Object.fromEntries(SEND_AT.map((name) => [name, 'send_at'])),
  },
  missing: [
    [/^b?cc$/, 'a message has one recipient. Send a separate message to each further recipient.'],
    [/^personali[sz]ations?$/, 'a message has one recipient. Send several with `POST /messages/batch`.'],
    [/^(headers?$|h:)/, 'custom headers are not supported. Use `metadata` for your own data.'],
    [
      /^(o:)?(tags?|labels?)$/,
      'tags are not supported. Use `metadata` instead: webhooks and GET /messages include it.',
    ],
    [
      /^(categor(y|ies)|messagestream|stream)$/,
      'the sending domain decides: a marketing or a transactional one (GET /domains). Use `metadata` for your own tags.',
    ],
    [
      /^(o:)?(track|tracking)|^(open|click)track/,
      'tracking is decided by the sending domain: a transactional one has no open pixel and tracks no links by default.',
    ],
    [
      /^(list)?unsubscribe(url|group|groupid)?$|^asm$/,
      'email from a marketing domain gets its unsubscribe link automatically.',
    ],
    [/^(idempotencykey|idempotency)$/, 'send it as the header `Idempotency-Key`.'],
  ],
};

/** Warnings for the names in a body of POST /messages that are no fields of it. */
export const messageWarnings = (names: readonly string[]): string[] => fieldWarnings(messageShape, names, MEANINGS);
