import PostalMime, { type Email } from 'postal-mime';
import { builtInRules, type BounceRules } from '../../domain/bounces/bounce-rules';
import { readDeliveryStatus, type ReadPart } from './delivery-status';
import { readFeedbackReport } from './feedback-report';
import { readFieldGroups } from './field-groups';
import { oneLine } from './one-line';
import { viewMail, type MailView } from './prose/mail-view';
import { isFromServer, readProse } from './prose/read-prose';
import { withoutReturned } from './prose/refusal-blocks';
import type { ParsedMail, Report } from './report';

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']);
const COMPLAINT_TYPE = 'message/feedback-report';
const REPORT_TYPE = /message\/(?:(?:global-)?delivery-status|feedback-report)/gi;
const RECEIPT_TYPE = /message\/(?:global-)?disposition-notification/i;

/** How many bytes of a mail are read: the report precedes the returned message, so valid reports begin before that. */
export const MAX_REPORT_BYTES = 256 * 1024;
const MAX_LINES = 8_000;
/** How deep reports in forwarded mails are looked for. */
const MAX_FORWARDS = 2;
/** What is kept of a mail that was not understood. */
const MAX_UNREAD = 2_000;

export interface ReadOptions {
  rules?: BounceRules;
  /** The local parts of the bounce addresses that the mail came to. */
  signed?: readonly string[];
}

const nothing: ParsedMail = { reports: [], fault: null, nested: false, unread: null };

/**
 * Reads a delivery status notification (RFC 3464, RFC 6533), a complaint (RFC 5965), or a report in a server's own words
 * (docs/bounces.md). A report in a forwarded mail is `nested`. Never rejects, whatever the bytes.
 */
export async function parseReport(raw: Buffer, options: ReadOptions = {}): Promise<ParsedMail> {
  try {
    return await readMail(raw, options, 0);
  } catch (error) {
    return { ...nothing, fault: `unreadable MIME: ${oneLine(error instanceof Error ? error.message : String(error))}` };
  }
}

async function readMail(raw: Buffer, options: ReadOptions, depth: number): Promise<ParsedMail> {
  const head = reportPart(raw) ?? raw.subarray(0, lineEnd(latin1(raw), MAX_LINES));
  if (head.length === 0) return nothing;
  const mail = await PostalMime.parse(head, { forceRfc822Attachments: true });
  const view = viewMail(mail);
  const parts = readParts(mail, options.rules ?? builtInRules, withoutReturned(view.text));
  const reports = parts.flatMap((part) => part.reports);
  const fault = parts.find((part) => part.fault)?.fault ?? null;
  if (reports.length > 0) return { ...withReports(reports, reports[0]?.text ?? ''), fault };
  if (parts.length > 0 && fault === null) return nothing;
  if (RECEIPT_TYPE.test(latin1(raw))) return nothing;
  const found = await readWithoutParts({ raw, mail, view }, options, depth);
  return found.reports.length === 0 && fault !== null ? { ...nothing, fault } : found;
}

/** A mail whose report, if it is one, is in its text or in a mail that it forwards. */
async function readWithoutParts(
  { raw, mail, view }: { raw: Buffer; mail: Email; view: MailView },
  options: ReadOptions,
  depth: number,
): Promise<ParsedMail> {
  const rules = options.rules ?? builtInRules;
  const inText = readFieldsInText(view.text, rules);
  if (inText.length > 0) return withReports(inText, view.text);
  // A person forwards a report as an attachment; a server attaches the mail that it returns.
  const forwarded = isFromServer(view) ? null : await readForwarded(mail, options, depth);
  if (forwarded) return forwarded;
  const prose = readProse(view, rules, hasOurs(raw, mail, options.signed ?? []));
  if (prose.kind === 'reports') return withReports(prose.reports, view.text);
  return { ...nothing, unread: prose.kind === 'answer' ? null : excerpt(`${mail.subject ?? ''}\n${view.text}`) };
}

const withReports = (reports: Report[], text: string): ParsedMail => ({
  ...nothing,
  reports,
  unread: unreadOf(reports, text),
});

/** The reports of the report parts. */
function readParts(mail: Email, rules: BounceRules, prose: string): ReadPart[] {
  return mail.attachments.flatMap(({ mimeType, content }) => {
    if (mimeType === COMPLAINT_TYPE) return [readFeedbackReport(readFieldGroups(decode(content)))];
    return STATUS_TYPES.has(mimeType) ? [readDeliveryStatus(readFieldGroups(decode(content)), rules, prose)] : [];
  });
}

/** A delivery status that a server, or a gateway on the way, put into the text. */
function readFieldsInText(text: string, rules: BounceRules): Report[] {
  if (!/^[ \t]*Final-Recipient:/im.test(text) || !/^[ \t]*Action:/im.test(text)) return [];
  const fields = text.replace(/^[ \t>]+(?=[A-Z][\w-]+:)/gim, '');
  return readDeliveryStatus(readFieldGroups(fields), rules, '').reports;
}

/** The reports of a mail that is attached to this one. */
async function readForwarded(mail: Email, options: ReadOptions, depth: number): Promise<ParsedMail | null> {
  if (depth >= MAX_FORWARDS) return null;
  for (const { mimeType, content } of mail.attachments) {
    if (mimeType !== 'message/rfc822' && mimeType !== 'message/global') continue;
    const found = await readMail(bytesOf(content), options, depth + 1);
    if (found.reports.length > 0) return { ...found, nested: true };
  }
  return null;
}

/** True when the mail returns one of ours: attached, or in its text. */
function hasOurs(raw: Buffer, mail: Email, signed: readonly string[]): boolean {
  const isReturned = mail.attachments.some(({ mimeType }) => mimeType === 'text/rfc822-headers');
  if (isReturned) return true;
  const text = latin1(raw);
  const body = text.slice(Math.max(0, text.search(/\r?\n\r?\n/))).toLowerCase();
  return signed.some((localPart) => body.includes(`<${localPart.toLowerCase()}@`));
}

const unreadOf = (reports: readonly Report[], text: string): string | null =>
  reports.some((report) => report.class === 'unknown') ? excerpt(text) : null;

const excerpt = (text: string): string | null => text.trim().slice(0, MAX_UNREAD) || null;

/**
 * The mail up to the end of its last report part, or null when it has none. Parsing time grows with the number of
 * lines, which a stranger controls; the returned message after the report is never parsed.
 */
function reportPart(raw: Buffer): Buffer | null {
  const text = latin1(raw);
  const lastType = [...text.matchAll(REPORT_TYPE)].at(-1);
  if (!lastType) return null;
  const boundary = text.indexOf('\n--', lastType.index);
  const end = boundary < 0 ? text.length : boundary + 1;
  return raw.subarray(0, Math.min(end, lineEnd(text, MAX_LINES)));
}

const latin1 = (raw: Buffer): string => raw.toString('latin1', 0, Math.min(raw.length, MAX_REPORT_BYTES));

function lineEnd(text: string, lines: number): number {
  let at = 0;
  for (let n = 0; n < lines; n++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array);

const decode = (content: ArrayBuffer | Uint8Array | string): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
