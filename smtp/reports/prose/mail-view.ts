import type { Email } from 'postal-mime';

/** What prose is read from. Everything but `text` is in lower case. */
export interface MailView {
  from: string;
  subject: string;
  headers: ReadonlyMap<string, string>;
  /** The text a reader sees; HTML without its tags. */
  text: string;
}

/** More text is not looked at. */
const MAX_TEXT = 32 * 1024;
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
};

/** The parts of a parsed mail that prose is read from. */
export function viewMail(mail: Email): MailView {
  const { name = '', address = '' } = mail.from ?? {};
  const plain = mail.text?.trim() ? mail.text : textOfHtml((mail.html ?? '').slice(0, 4 * MAX_TEXT));
  return {
    from: `${name} <${address}>`.toLowerCase(),
    subject: (mail.subject ?? '').toLowerCase(),
    headers: new Map([...mail.headers].reverse().map(({ key, value }) => [key, value.toLowerCase()])),
    text: mended(plain.slice(0, MAX_TEXT)),
  };
}

function textOfHtml(html: string): string {
  return html
    .replace(/<(style|script|title)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/<(?:br|p|div|tr|li|h\d|table)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|amp|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? ' ');
}

/** Japanese mail without its charset keeps the escapes of ISO-2022-JP. */
function mended(text: string): string {
  return text.includes('\u001b$') ? new TextDecoder('iso-2022-jp').decode(Buffer.from(text, 'latin1')) : text;
}
