import type { KeyObject } from 'node:crypto';
import type { Attachment } from '../../domain/message';
import type { MailOrder } from './composer';

/** What is asked of the composing thread in one turn of the caller's event loop. */
export interface Orders {
  /** Keys it has not seen, by the number under which the orders name them. */
  keys: (readonly [number: number, key: KeyObject])[];
  /** Numbers of keys that no order names any more. */
  forget: number[];
  orders: OrderRow[];
}

/** A mail, its bytes in an ArrayBuffer of their own, or why there is none. */
export type Made =
  readonly [id: number, raw: Uint8Array, destinations: string[]] | readonly [id: number, raw: null, error: string];

/** A MailOrder as it passes between threads: values without their names, of which there are twenty. */
export type OrderRow = readonly [
  id: number,
  key: number,
  selector: string,
  sendingDomain: string,
  now: number,
  to: string,
  contactName: string | null,
  message: readonly [
    id: string,
    contactId: number,
    campaignId: number | null,
    subject: string,
    fromEmail: string,
    fromName: string,
    replyTo: string | null,
  ],
  html: string,
  text: string | null,
  attachments: readonly AttachmentRow[],
  businessName: string,
  businessAddress: string,
  trackConversions: boolean,
  clicks: string,
  open: string,
  unsubscribe: string,
];
type AttachmentRow = readonly [filename: string, contentType: string, content: Uint8Array];

/** The row of an order; `key` is the number of its key. */
export function toOrderRow(id: number, key: number, order: MailOrder): OrderRow {
  const { message: m, body, business, links } = order;
  return [
    id,
    key,
    order.selector,
    order.sendingDomain,
    order.now,
    order.to,
    order.contactName,
    [m.id, m.contactId, m.campaignId, m.subject, m.fromEmail, m.fromName, m.replyTo],
    body.html,
    body.text,
    order.attachments.map(toAttachmentRow),
    business.name,
    business.address,
    order.trackConversions,
    links.clicks,
    links.open,
    links.unsubscribe,
  ];
}

/** The order of a row, whose key is `key`. */
export function toOrder(row: OrderRow, key: KeyObject): MailOrder {
  const [, , selector, sendingDomain, now, to, contactName, facts, html, text, attachments, ...rest] = row;
  const [id, contactId, campaignId, subject, fromEmail, fromName, replyTo] = facts;
  const [businessName, businessAddress, trackConversions, clicks, open, unsubscribe] = rest;
  return {
    message: { id, contactId, campaignId, subject, fromEmail, fromName, replyTo },
    to,
    contactName,
    body: { html, text },
    attachments: attachments.map(toAttachment),
    business: { name: businessName, address: businessAddress },
    trackConversions,
    links: { clicks, open, unsubscribe },
    sendingDomain,
    now,
    selector,
    key,
  };
}

/** Bytes that share their ArrayBuffer with others must not take those along. */
function toAttachmentRow({ filename, contentType, content }: Attachment): AttachmentRow {
  const isAlone = content.length > 0 && content.length === content.buffer.byteLength;
  return [filename, contentType, isAlone ? content : new Uint8Array(content)];
}

const toAttachment = ([filename, contentType, content]: AttachmentRow): Attachment => ({
  filename,
  contentType,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
});
