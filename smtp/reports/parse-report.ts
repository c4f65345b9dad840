import PostalMime, { type Email } from 'postal-mime';
import { builtInRules } from '../../domain/bounces/bounce-rules';
import { MAX_GROUPS, readDeliveryStatus } from './delivery-status';
import { readFeedbackReport } from '../../operations/reports/feedback-report';
import { readFieldGroups } from '../../operations/reports/field-groups';
import { oneLine } from '../../lib/one-line';
import { viewMail, type MailView } from './prose/mail-view';
import { isAutoSubmitted, isFromServer, readProse } from './prose/read-prose';
import { withoutReturned } from './prose/refusal-blocks';
import { MAX_HEADERS } from './read-head';
import { rememberedRules, type Rules } from './remembered-rules';
import type { ParsedMail, ReadPart, Report } from '../../operations/reports/report';
import type { BouncedMessage } from './report-protocol';

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']);
const COMPLAINT_TYPE = 'message/feedback-report';
const FORWARDED_TYPES = new Set(['message/rfc822', 'message/global']);
const REPORT_TYPE = /message\/(?:(?:global-)?delivery-status|feedback-report)/gi;
const RECEIPT_TYPE = /message\/(?:global-)?disposition-notification/i;

/** How many bytes of a mail are read: the report precedes the returned message, so valid reports begin before that. */
export const MAX_REPORT_BYTES = 256 * 1024;
const MAX_LINES = 8_000;
/** How deep reports in forwarded mails are looked for. */
const MAX_FORWARDS = 2;
/** Mails attached to one that are looked at. */
const MAX_ATTACHED = 10;
/** What is kept of a mail that was not understood. */
const MAX_UNREAD = 2_000;

export interface ReadOptions {
  rules?: Rules;
  /** The messages whose bounce addresses the mail came to. */
  bounced?: readonly BouncedMessage[];
  /** From the null sender. */
  fromNull?: boolean;
  /** Reads nothing but complaints. */
  onlyComplaints?: boolean;
}

export const nothing: ParsedMail = { reports: [], fault: null, nested: false, prose: null, unread: null };

/**
 * Reads a delivery status notification (RFC 3464, RFC 6533), a complaint (RFC 5965), or a report in a server's own
 * words (docs/bounces.md). A report in a forwarded mail, attached by a person, or from a mail that was cut in it is
 * `nested`. Never rejects, whatever the bytes.
 */
export async function parseReport(raw: Buffer, options: ReadOptions = {}): Promise<ParsedMail> {
  try {
    return await readMail(raw, { ...options, rules: rememberedRules(options.rules ?? builtInRules) }, 0);
  } catch (error) {
    return { ...nothing, fault: `unreadable MIME: ${oneLine(error instanceof Error ? error.message : String(error))}` };
  }
}

type Reading = ReadOptions & { rules: Rules };

async function readMail(raw: Buffer, reading: Reading, depth: number): Promise<ParsedMail> {
  const head = reportPart(raw) ?? raw.subarray(0, lineEnd(latin1(raw), MAX_LINES));
  if (head.length === 0) return nothing;
  const mail = await PostalMime.parse(head, { forceRfc822Attachments: true, maxHeadersSize: MAX_HEADERS });
  const view = viewMail(mail);
  const parts = readParts(mail, reading, view.text);
  const reports = parts.flatMap((part) => part.reports);
  const fault = parts.find((part) => part.fault)?.fault ?? null;
  const unread = excerptOf(mail, view);
  if (reports.length > 0) {
    const found = { ...withReports(reports, reports[0]?.text ?? ''), fault };
    return depth === 0 ? doubted(found, { raw, view, unread }, reading) : found;
  }
  if (reading.onlyComplaints) return nothing;
  if (parts.length > 0) return fault === null ? nothing : { ...nothing, fault, unread };
  if (RECEIPT_TYPE.test(latin1(raw))) return nothing;
  return readWithoutParts({ raw, mail, view }, reading, depth);
}

/** The reports of a mail in report parts, as far as they may be believed. */
function doubted(
  found: ParsedMail,
  { raw, view, unread }: { raw: Buffer; view: MailView; unread: string | null },
  reading: Reading,
): ParsedMail {
  if (!isCutReport(raw, view) || !isCutInStatus(raw)) return { ...found, nested: !isFormal(view, reading) };
  // The group in which it was cut may lack what it says.
  const whole = found.reports.slice(0, -1);
  return whole.length === 0 ? { ...nothing, fault: CUT, unread } : { ...found, reports: whole, nested: true };
}

/** A mail whose report, if it is one, is in its text or in a mail that it forwards. */
async function readWithoutParts(
  { raw, mail, view }: { raw: Buffer; mail: Email; view: MailView },
  reading: Reading,
  depth: number,
): Promise<ParsedMail> {
  const unread = { ...nothing, unread: excerptOf(mail, view) };
  if (isCutReport(raw, view)) return { ...unread, fault: CUT };
  const fromNull = depth === 0 ? reading.fromNull === true : view.headers.get('return-path')?.trim() === '<>';
  const prose = { named: namedIn(raw, view, reading.bounced ?? []) };
  const isAutomatic = fromNull || isAutoSubmitted(view);
  const inText = isAutomatic ? readFieldsInText(view.text, reading.rules) : [];
  if (inText.length > 0) return { ...withReports(inText, view.text), prose };
  const forwarded = await readForwarded(mail, reading, { depth, isFromServer: isFromServer(view) });
  if (forwarded) return forwarded;
  const hasOurs = prose.named.length > 0 || mail.attachments.some(({ mimeType }) => mimeType === 'text/rfc822-headers');
  const read = readProse(view, reading.rules, { hasOurs, fromNull });
  if (read.kind === 'reports') return { ...withReports(read.reports, view.text), prose };
  return read.kind === 'answer' ? nothing : unread;
}

const withReports = (reports: Report[], text: string): ParsedMail => ({
  ...nothing,
  reports,
  unread: unreadOf(reports, text),
});

/** The reports of the report parts. */
function readParts(mail: Email, { rules, onlyComplaints }: Reading, text: string): ReadPart[] {
  const prose = withoutReturned(text);
  let most = MAX_GROUPS;
  return mail.attachments.flatMap(({ mimeType, content }) => {
    if (mimeType === COMPLAINT_TYPE) return [readFeedbackReport(readFieldGroups(decode(content)))];
    if (onlyComplaints || most === 0 || !STATUS_TYPES.has(mimeType)) return [];
    const part = readDeliveryStatus(readFieldGroups(decode(content)), { rules, prose, most });
    most -= part.reports.length;
    return [part];
  });
}

/** A delivery status that a server, or a gateway on the way, put into the text. */
function readFieldsInText(text: string, rules: Rules): Report[] {
  if (!/^[ \t]*Final-Recipient:/im.test(text) || !/^[ \t]*Action:/im.test(text)) return [];
  const fields = text.replace(/^[ \t>]+(?=[A-Z][\w-]+:)/gim, '');
  return readDeliveryStatus(readFieldGroups(fields), { rules, prose: '' }).reports;
}

/**
 * The reports of a mail that is attached to this one. A server attaches the mail that it returns, whose words say
 * nothing about it: only a report's own form counts there.
 */
async function readForwarded(
  mail: Email,
  reading: Reading,
  { depth, isFromServer: formOnly }: { depth: number; isFromServer: boolean },
): Promise<ParsedMail | null> {
  if (depth >= MAX_FORWARDS) return null;
  const attached = mail.attachments.filter(({ mimeType }) => FORWARDED_TYPES.has(mimeType)).slice(0, MAX_ATTACHED);
  for (const { content } of attached) {
    const found = await readMail(bytesOf(content), reading, depth + 1);
    if (found.reports.length > 0 && (found.prose === null || !formOnly)) return { ...found, nested: true };
  }
  return null;
}

/** True for a report whose end is missing, the delivery status with it. */
function isCutReport(raw: Buffer, { headers }: MailView): boolean {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/report') || raw.length >= MAX_REPORT_BYTES) return false;
  const boundary = /boundary="?([^";]{1,200})/.exec(type)?.[1]?.trim();
  return boundary !== undefined && !latin1(raw).toLowerCase().includes(`--${boundary}--`);
}

const CUT = 'a report that was cut before its end';

/** True for a mail whose last report part does not end. */
function isCutInStatus(raw: Buffer): boolean {
  const text = latin1(raw);
  const lastType = [...text.matchAll(REPORT_TYPE)].at(-1);
  return lastType !== undefined && text.indexOf('\n--', lastType.index) < 0;
}

/** False for a mail of a person, who may attach a report about anybody. */
const isFormal = (view: MailView, { fromNull }: Reading): boolean =>
  (view.headers.get('content-type') ?? '').startsWith('multipart/report') ||
  fromNull === true ||
  isAutoSubmitted(view) ||
  isFromServer(view);

/** The messages that a mail names: their bounce address in its body, or their id anywhere. */
function namedIn(raw: Buffer, { text }: MailView, bounced: readonly BouncedMessage[]): string[] {
  // Quoted-printable breaks long lines.
  const whole = `${latin1(raw)}\n${text}`.replace(/=\r?\n/g, '').toLowerCase();
  const body = whole.slice(Math.max(0, whole.search(/\r?\n\r?\n/)));
  const isNamed = ({ id, localPart }: BouncedMessage): boolean =>
    whole.includes(id) || body.includes(`${localPart.toLowerCase()}@`);
  return bounced.filter(isNamed).map(({ id }) => id);
}

const unreadOf = (reports: readonly Report[], text: string): string | null =>
  reports.some((report) => report.class === 'unknown') ? excerpt(text) : null;

const excerpt = (text: string): string | null => text.trim().slice(0, MAX_UNREAD) || null;
const excerptOf = (mail: Email, { text }: MailView): string | null => excerpt(`${mail.subject ?? ''}\n${text}`);

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
