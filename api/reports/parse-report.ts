import PostalMime from 'postal-mime';
import { readDeliveryStatus } from './delivery-status';
import { readFeedbackReport } from './feedback-report';
import { type FieldGroup, readFieldGroups } from './field-groups';
import { oneLine } from './one-line';
import type { ParsedMail } from './report';

const READERS: Readonly<Record<string, (groups: readonly FieldGroup[]) => ParsedMail>> = {
  'message/delivery-status': readDeliveryStatus,
  'message/global-delivery-status': readDeliveryStatus,
  'message/feedback-report': readFeedbackReport,
};
const REPORT_TYPE = /message\/(?:(?:global-)?delivery-status|feedback-report)/gi;

/** How many bytes of a mail are read: the report precedes the returned message, so valid reports begin before that. */
export const MAX_REPORT_BYTES = 256 * 1024;
const MAX_LINES = 8_000;

/**
 * Parses a delivery status notification (RFC 3464, RFC 6533) or a complaint (RFC 5965). A report inside an attached
 * message (message/rfc822) does not count. Never rejects, whatever the bytes.
 */
export async function parseReport(raw: Buffer): Promise<ParsedMail> {
  const head = reportPart(raw);
  if (!head) return { reports: [], fault: null };
  try {
    const mail = await PostalMime.parse(head, { forceRfc822Attachments: true });
    const parsed = mail.attachments.flatMap((part) => {
      const read = READERS[part.mimeType];
      return read ? [read(readFieldGroups(decode(part.content)))] : [];
    });
    return {
      reports: parsed.flatMap(({ reports }) => reports),
      fault: parsed.find(({ fault }) => fault)?.fault ?? null,
    };
  } catch (error) {
    return {
      reports: [],
      fault: `unreadable MIME: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    };
  }
}

/**
 * The mail up to the end of its last report part, or null when it has none. Parsing time grows with the number of
 * lines, which a stranger controls; the returned message after the report is never parsed.
 */
function reportPart(raw: Buffer): Buffer | null {
  const text = raw.toString('latin1', 0, Math.min(raw.length, MAX_REPORT_BYTES));
  const lastType = [...text.matchAll(REPORT_TYPE)].at(-1);
  if (!lastType) return null;
  const boundary = text.indexOf('\n--', lastType.index);
  const end = boundary < 0 ? text.length : boundary + 1;
  return raw.subarray(0, Math.min(end, lineEnd(text, MAX_LINES)));
}

function lineEnd(text: string, lines: number): number {
  let at = 0;
  for (let n = 0; n < lines; n++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

function decode(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
