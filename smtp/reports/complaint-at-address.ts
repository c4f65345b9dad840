import PostalMime from 'postal-mime';
import type { Keyring } from '../../domain/keyring';
import { oneLine } from '../../lib/one-line';
import type { ParsedMail, Report } from '../../operations/reports/report';
import { isFeedbackSender } from './feedback-senders';
import { MAX_HEADERS } from './read-head';
import type { ReadReport } from './report-protocol';
import { findMarks, signedBy, type Marks } from '../../operations/reports/signed-mention';

/** The local parts, at any domain, to which a provider's feedback loop may be led. */
const FEEDBACK_ADDRESS = /^(?:feedback|fbl)(?:\+[^@]{0,64})?@/i;
const COMPLAINT_TYPE = /message\/feedback-report/i;
/** Parsing time grows with the number of lines. */
const MAX_LINES = 8_000;

export const isFeedbackAddress = (address: string): boolean => FEEDBACK_ADDRESS.test(address);

/** False for a mail without a complaint, which is told without parsing it. `from`: its envelope sender. */
export const mayBeComplaint = (bytes: Uint8Array, from: string): boolean =>
  COMPLAINT_TYPE.test(textOf(bytes)) || isBareComplaint(bytes, from);

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** Other forms of reports, and answers of programs: no complaints, whoever writes them. */
const OTHER_FORM =
  /^content-type:[^\n]*(?:\n[ \t][^\n]*)*multipart\/report|^auto-submitted:\s*auto-(?:replied|generated)/im;
const ADDRESS = /[^\s<>()",;:]{1,64}@[A-Za-z0-9.-]{1,253}/g;

/**
 * True for a mail from a provider's feedback loop that has no feedback part, such as one with our mail attached, or our
 * mail sent on: by the envelope sender, or by From, Sender or Resent-From. That anybody can write. What counts is what
 * is signed in it, as in any other complaint (docs/decisions/0057-complaints-count-by-signature.md).
 */
export function isBareComplaint(bytes: Uint8Array, from: string): boolean {
  const text = textOf(bytes);
  const head = text.slice(0, Math.max(0, text.search(/\r?\n\r?\n/)) || undefined);
  if (COMPLAINT_TYPE.test(text) || OTHER_FORM.test(head)) return false;
  if (isFeedbackSender(from)) return true;
  const senders = [...head.matchAll(/^(?:from|sender|resent-from):([^\n]{0,998}(?:\n[ \t][^\n]{0,998}){0,5})/gim)];
  return senders.some(([, value = '']) => isFeedbackSender(value.match(ADDRESS)?.at(-1) ?? ''));
}

/** What such a mail says. */
export const BARE_COMPLAINT: Report = {
  kind: 'complaint',
  text: 'abuse',
  envelopeId: null,
  class: null,
  hard: false,
  recipients: [],
};

/** A complaint that came to a feedback address, and the message it is about. */
export interface FoundComplaint {
  mail: ParsedMail;
  messageId: string;
}

/**
 * What a mail to a feedback address says: only a complaint counts there, about the message that it is signed for
 * somewhere, as in the envelope sender, or the unsubscribe link of the mail that it returns. Null when it says nothing.
 */
export function findComplaint(keyring: Keyring, { mail, marks }: ReadReport): FoundComplaint | null {
  const reports = mail.reports.filter(({ kind }) => kind === 'complaint');
  if (reports.length === 0) return null;
  for (const found of marks) {
    const messageId = signedBy(keyring, found);
    if (messageId !== null) return { mail: { ...mail, reports, unread: null }, messageId };
  }
  return null;
}

/** What looks signed in a mail: as it came, and in its decoded parts. `fault` says why those could not be read. */
export async function readComplaintMarks(raw: Buffer): Promise<{ marks: Marks[]; fault: string | null }> {
  const text = raw.toString('latin1');
  const asItCame = findMarks(text);
  try {
    return { marks: [asItCame, findMarks(await decoded(text))], fault: null };
  } catch (error) {
    return { marks: [asItCame], fault: `unreadable MIME: ${oneLine(String(error))}` };
  }
}

/** The parts of a mail without their encoding. */
async function decoded(text: string): Promise<string> {
  const head = text.split('\n', MAX_LINES).join('\n');
  const mail = await PostalMime.parse(Buffer.from(head, 'latin1'), {
    forceRfc822Attachments: true,
    maxHeadersSize: MAX_HEADERS,
  });
  const parts = mail.attachments.map(({ content }) =>
    typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('latin1'),
  );
  return [mail.text ?? '', mail.html ?? '', ...parts].join('\n');
}
