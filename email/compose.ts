import type { FilledSize } from '../domain/messages/mail-size';
import type { Language } from '../domain/settings/language';
import { RECIPIENT_TEXTS } from '../domain/recipient-texts';
import type { Attachment, MessageBody } from '../domain/messages/message';
import { base64Length } from './attachment-part';
import { mailHeaders, type FeedbackLoop, type MailFacts, type MailHeader } from './mail-headers';
import type { MailLinks } from './mail-links';
import { escapeHtml } from './html-escape';
import { mergeValues } from './merge-values';
import { addMerged, hasUnsubscribeTag, mergedBytes, mergedText, type MergedText } from './merged-text';
import { mimeContent } from './mime';
import { QpJoin } from './quoted-printable';
import { htmlTemplate, textTemplate } from './template-cache';
import { ValueParts } from './value-parts';

export interface ComposeInput {
  message: MailFacts;
  /** The recipient as written in the header To and the merge tag `email`. */
  to: string;
  contactName: string | null;
  body: MessageBody;
  attachments: readonly Attachment[];
  business: { name: string; address: string };
  /** Of the footer. */
  language: Language;
  /**
   * False: no footer, whatever links the content has, and no unsubscribe headers (docs/contract.md#transactional-mail).
   */
  marketing: boolean;
  /** Add `svc_mid` to the destinations. */
  trackConversions: boolean;
  /** Hosts whose destinations get none, nor those below them; lower case. */
  unmarkedHosts: readonly string[];
  links: MailLinks;
  /** Null: a mail that is only shown. */
  feedback: FeedbackLoop | null;
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

const textFooterIn = (language: Language): MergedText =>
  mergedText(
    `\n\n--\n{{bisnis}}\n{{alamat_bisnis}}\n\n${RECIPIENT_TEXTS[language].footer.unsubscribe}: {{unsubscribe_url}}\n`,
  );
const TEXT_FOOTERS: Readonly<Record<Language, MergedText>> = { id: textFooterIn('id'), en: textFooterIn('en') };

/** A mail whose merge tags are still to be filled. */
export interface MailDraft {
  size: FilledSize;
  fill(): ComposedMail;
}

/**
 * Prepares the mail of one message (docs/contract.md#composition). Pure and fast: work that is the same for all
 * recipients of a template is done once and cached, and nothing grows with the mail until it is filled. Never throws
 * for an accepted message.
 */
export function draftMail(input: ComposeInput): MailDraft {
  const { message, body, links, marketing, language } = input;
  const values = mergeValues({
    ...input,
    subject: message.subject,
    unsubscribeUrl: links.unsubscribe,
    browserUrl: links.browser,
    ...(body.variables && { variables: body.variables }),
  });
  const names = Object.keys(body.variables ?? {});
  const template = htmlTemplate(body.html, names);
  const text = body.text ? textTemplate(body.text, names) : template.plainText;
  const raw = new ValueParts(values, asItIs);
  const html = {
    values,
    parts: new ValueParts(values, escapeHtml),
    links,
    footer: marketing ? language : null,
    svcMid: input.trackConversions ? message.id : null,
    unmarkedHosts: input.unmarkedHosts,
  };
  const size = template.sizeFor(html);
  size.mail += mergedBytes(text, raw) + values.subject.length;
  for (const { content } of input.attachments) size.mail += base64Length(content.length);
  const fill = (): ComposedMail => {
    const rendered = template.render(html);
    const texts = { html: rendered.text, text: plainText(text, raw, template.needsFooter ? html.footer : null) };
    return { ...withHeaders(input, values.subject, texts), destinations: rendered.destinations };
  };
  return { size, fill };
}

/** Writes the mail of one message, however large. */
export const compose = (input: ComposeInput): ComposedMail => draftMail(input).fill();

function withHeaders(
  input: ComposeInput,
  subject: string,
  texts: { text: string; html: string },
): Omit<ComposedMail, 'destinations'> {
  const { message, to, now, sendingDomain, attachments, marketing, links, feedback } = input;
  const { contentType, body, room } = mimeContent(message.id, texts, attachments);
  const unsubscribeUrl = marketing ? links.unsubscribe : null;
  const facts = { message, to, subject, sendingDomain, unsubscribeUrl, feedback, now };
  return { headers: [...mailHeaders(facts), { name: 'Content-Type', value: contentType }], body, room };
}

/** Values are on one line already. */
const asItIs = (value: string): string => value;

function plainText(template: MergedText, values: ValueParts, footer: Language | null): string {
  const join = new QpJoin();
  addMerged(join, template, values);
  if (footer && !hasUnsubscribeTag(template)) addMerged(join, TEXT_FOOTERS[footer], values);
  return join.text;
}
