import type { MessageFacts } from '../domain/messages/message';
import { headerText } from './header-text';
import { headerAddress, headerMailbox } from './mail-address';

/** One header field; the value is folded (CRLF before white space) and has no line break at its end. */
export interface MailHeader {
  name: string;
  value: string;
}

/** The fields of a message that its mail shows. */
export type MailFacts = Pick<
  MessageFacts,
  'id' | 'contactId' | 'campaignId' | 'subject' | 'fromEmail' | 'fromName' | 'replyTo' | 'thread'
>;

/** By which providers add up and report complaints (docs/contract.md#feedback-headers). */
export interface FeedbackLoop {
  /** The Feedback-ID. */
  id: string;
  /** Where a complaint about the mail is to go: an address signed for its message. */
  address: string;
}

/** The input of the header fields. */
interface HeaderFacts {
  message: MailFacts;
  to: string;
  /** The subject with its merge tags filled. */
  subject: string;
  sendingDomain: string;
  /** Null: no unsubscribe headers (docs/contract.md#transactional-mail). */
  unsubscribeUrl: string | null;
  /** Null: a mail that is only shown. */
  feedback: FeedbackLoop | null;
  /** ms */
  now: number;
}

/**
 * All header fields of a mail except those of its content, spelled as in the contract (docs/contract.md#mail-headers).
 */
export function mailHeaders(facts: HeaderFacts): MailHeader[] {
  const { message } = facts;
  const headers: MailHeader[] = [
    { name: 'From', value: headerMailbox(message.fromName, message.fromEmail, 'From: '.length) },
    { name: 'To', value: headerAddress(facts.to) },
    { name: 'Subject', value: headerText(facts.subject, 'Subject: '.length) },
    { name: 'Date', value: new Date(facts.now).toUTCString().replace('GMT', '+0000') },
    ...threadHeaders(message, facts.sendingDomain),
    { name: 'MIME-Version', value: '1.0' },
    ...unsubscribeHeaders(facts.unsubscribeUrl),
    ...feedbackHeaders(facts.feedback),
    { name: 'X-Campaign-id', value: message.campaignId === null ? 'api' : String(message.campaignId) },
    { name: 'X-Subscriber-id', value: String(message.contactId) },
    { name: 'X-Message-id', value: message.id },
  ];
  if (message.replyTo) headers.splice(2, 0, { name: 'Reply-To', value: headerAddress(message.replyTo) });
  return headers;
}

/** The caller's ids, as they came; one that is too long for the line of its name stands on the next. */
function threadHeaders({ id, thread }: MailFacts, sendingDomain: string): MailHeader[] {
  const own = `<${id}@${sendingDomain}>`;
  const headers = [{ name: 'Message-ID', value: foldedIds([thread?.messageId ?? own], LINE) }];
  if (thread === null) return headers;
  for (const [name, ids] of [['In-Reply-To', thread.inReplyTo] as const, ['References', thread.references] as const])
    if (ids.length > 0) headers.push({ name, value: foldedIds(ids, 76) });
  return headers;
}

/** Octets of a line without its end (RFC 5322 section 2.1.1). */
const LINE = 998;
const LONGEST_NAME = 'In-Reply-To: '.length;

/** Ids with a space between them, folded so that lines with more than one have at most `most` columns. */
function foldedIds(ids: readonly string[], most: number): string {
  let folded = '';
  let column = LONGEST_NAME;
  ids.forEach((id, n) => {
    const isFolded = column + id.length > most;
    folded += `${isFolded ? '\r\n ' : n > 0 ? ' ' : ''}${id}`;
    column = (isFolded ? 0 : column) + id.length + 1;
  });
  return folded;
}

function unsubscribeHeaders(url: string | null): MailHeader[] {
  if (url === null) return [];
  return [
    { name: 'List-Unsubscribe', value: `<${url}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

/**
 * The address of RFC 9477 is on a subdomain of the signing domain, so its one DKIM signature is enough (section 3.1.2).
 */
function feedbackHeaders(feedback: FeedbackLoop | null): MailHeader[] {
  if (feedback === null) return [];
  return [
    { name: 'Feedback-ID', value: feedback.id },
    { name: 'CFBL-Address', value: `${feedback.address};\r\n report=arf` },
  ];
}

/** The header block as sent, with CRLF after each field. */
export function headerBlock(headers: readonly MailHeader[]): string {
  return headers.map(({ name, value }) => (value ? `${name}: ${value}\r\n` : `${name}:\r\n`)).join('');
}
