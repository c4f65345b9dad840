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
  'id' | 'contactId' | 'campaignId' | 'subject' | 'fromEmail' | 'fromName' | 'replyTo'
>;

/** The input of the header fields. */
interface HeaderFacts {
  message: MailFacts;
  to: string;
  /** The subject with its merge tags filled. */
  subject: string;
  sendingDomain: string;
  /** Null: no unsubscribe headers (docs/contract.md#transactional-mail). */
  unsubscribeUrl: string | null;
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
    { name: 'Message-ID', value: `<${message.id}@${facts.sendingDomain}>` },
    { name: 'MIME-Version', value: '1.0' },
    ...unsubscribeHeaders(facts.unsubscribeUrl),
    { name: 'X-Campaign-id', value: message.campaignId === null ? 'api' : String(message.campaignId) },
    { name: 'X-Subscriber-id', value: String(message.contactId) },
    { name: 'X-Message-id', value: message.id },
  ];
  if (message.replyTo) headers.splice(2, 0, { name: 'Reply-To', value: headerAddress(message.replyTo) });
  return headers;
}

function unsubscribeHeaders(url: string | null): MailHeader[] {
  if (url === null) return [];
  return [
    { name: 'List-Unsubscribe', value: `<${url}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}

/** The header block as sent, with CRLF after each field. */
export function headerBlock(headers: readonly MailHeader[]): string {
  return headers.map(({ name, value }) => (value ? `${name}: ${value}\r\n` : `${name}:\r\n`)).join('');
}
