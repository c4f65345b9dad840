import type { Attachment, MessageBody } from '../domain/message';
import { mailHeaders, type MailFacts, type MailHeader } from './mail-headers';
import type { MailLinks } from './mail-links';
import type { MergeValues } from './merge-tags';
import { mergeValues } from './merge-values';
import { addMerged, hasUnsubscribeTag, mergedText, type MergedText } from './merged-text';
import { mimeContent } from './mime';
import { QpJoin } from './quoted-printable';
import { htmlTemplate, textTemplate } from './template-cache';

export interface ComposeInput {
  message: MailFacts;
  /** The recipient as written in the header To and the merge tag `email`. */
  to: string;
  contactName: string | null;
  body: MessageBody;
  attachments: readonly Attachment[];
  business: { name: string; address: string };
  /** False: no footer, whatever links the content has, and no unsubscribe headers (docs/contract.md#transactional-mail). */
  marketing: boolean;
  /** Add `svc_mid` to the destinations. */
  trackConversions: boolean;
  /** Hosts whose destinations get none, nor those below them; lower case. */
  unmarkedHosts: readonly string[];
  links: MailLinks;
  /** Of its campaign, with its own tags unfilled; null: none. */
  preheader: string | null;
  /** ASCII, lower case. */
  sendingDomain: string;
  /** ms; the date of the mail and the year of its merge tag. */
  now: number;
}

/** A mail ready for signing. */
export interface ComposedMail {
  headers: MailHeader[];
  /** MIME body, CRLF throughout, ending in CRLF. */
  body: Buffer;
  /** Free bytes before the body in its ArrayBuffer, which holds nothing else; 0: none may be used. */
  room: number;
  /** Destinations of the tracked links: index n is the target of link n. */
  destinations: string[];
}

const TEXT_FOOTER = mergedText('\n\n--\n{{bisnis}}\n{{alamat_bisnis}}\n\nBerhenti berlangganan: {{unsubscribe_url}}\n');

/**
 * Writes the mail of one message (docs/contract.md#composition). Pure and fast: work that is the same for all
 * recipients of a template is done once and cached. Never throws for an accepted message.
 */
export function compose(input: ComposeInput): ComposedMail {
  const { message, to, links, now, sendingDomain } = input;
  const values = mergeValues({
    ...input,
    subject: message.subject,
    unsubscribeUrl: links.unsubscribe,
    browserUrl: links.browser,
    ...(input.body.variables && { variables: input.body.variables }),
  });
  const names = Object.keys(input.body.variables ?? {});
  const template = htmlTemplate(input.body.html, names);
  const html = template.render({
    values,
    links,
    footer: input.marketing,
    svcMid: input.trackConversions ? message.id : null,
    unmarkedHosts: input.unmarkedHosts,
  });
  const text = input.body.text ? textTemplate(input.body.text, names) : template.plainText;
  const texts = { html: html.text, text: plainText(text, values, input.marketing && template.needsFooter) };
  const content = mimeContent(message.id, texts, input.attachments);
  const unsubscribeUrl = input.marketing ? links.unsubscribe : null;
  const facts = { message, to, subject: values.subject, sendingDomain, unsubscribeUrl, now };
  const headers = [...mailHeaders(facts), { name: 'Content-Type', value: content.contentType }];
  return { headers, body: content.body, room: content.room, destinations: html.destinations };
}

/** Values are on one line already. */
const raw = (value: string): string => value;

function plainText(template: MergedText, values: MergeValues, needsFooter: boolean): string {
  const join = new QpJoin();
  addMerged(join, template, values, raw);
  if (needsFooter && !hasUnsubscribeTag(template)) addMerged(join, TEXT_FOOTER, values, raw);
  return join.text;
}
