import PostalMime from 'postal-mime';
import { headerSize, type Header, readHeaders } from './mail-headers';

export interface MailContent {
  headers: Header[];
  /** Null where the mail has no such part. */
  text: string | null;
  html: string | null;
  attachments: { filename: string; type: string; size: number }[];
  /** Why the parts are not shown, or null. */
  fault: string | null;
}

/** Parsing blocks all other work, so a mail with more lines is shown only as source. */
const MAX_LINES = 100_000;

/** What a mail client would show of a mail. Never rejects. */
export async function readContent(source: Buffer): Promise<MailContent> {
  const headers = readHeaders(source.subarray(0, headerSize(source)));
  const unread = { headers, text: null, html: null, attachments: [] };
  if (hasMoreLines(source, MAX_LINES)) return { ...unread, fault: `The mail has more than ${MAX_LINES} lines.` };
  try {
    const mail = await PostalMime.parse(source);
    return {
      headers,
      text: mail.text ?? null,
      html: mail.html ?? null,
      attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
        filename: filename ?? '(no name)',
        type: mimeType,
        size: typeof content === 'string' ? content.length : content.byteLength,
      })),
      fault: null,
    };
  } catch (error) {
    return { ...unread, fault: `The mail is not readable MIME: ${error instanceof Error ? error.message : 'unknown'}` };
  }
}

function hasMoreLines(source: Buffer, limit: number): boolean {
  let at = -1;
  for (let n = 0; n <= limit; n++) {
    at = source.indexOf(10, at + 1);
    if (at < 0) return false;
  }
  return true;
}
