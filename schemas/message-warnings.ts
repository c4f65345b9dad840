import { messageShape } from './send-message';
import { fieldWarnings, type Meanings } from './unknown-fields';

/** Other names of the time to send at. */
const SEND_AT = ['scheduled', 'scheduledat', 'scheduledfor', 'schedule', 'deliverat', 'deliverytime', 'sendlater'];

const MEANINGS: Meanings = {
  fields: {
    from: 'from_email',
    sender: 'from_email',
    fromaddress: 'from_email',
    sendername: 'from_name',
    fullname: 'from_name',
    recipient: 'to',
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
    ...Object.fromEntries(SEND_AT.map((name) => [name, 'send_at'])),
  },
  missing: [
    [/^b?cc$/, 'a message has one recipient. Send another message to each further one.'],
    [/^headers?$/, 'custom headers are not supported.'],
    [/^(track|tracking)|^(open|click)track/, 'tracking cannot be turned off.'],
    [/^(idempotencykey|idempotency)$/, 'send it as the header `Idempotency-Key`.'],
  ],
};

/** Warnings for the names in a body of POST /messages that are no fields of it. */
export const messageWarnings = (names: readonly string[]): string[] => fieldWarnings(messageShape, names, MEANINGS);
