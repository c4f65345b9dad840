import { decodeText, unknownCharset } from './charset';
import { decodeParts } from './decode-parts';
import { unflow } from './flowed-text';
import { htmlOfText } from './html-of-text';
import type { MailPart } from './outline';
import { tooLarge, unusable } from './unreadable-mail';

/** The longest text, 500,000 characters, has four bytes for each, and three octets for each of those. */
const MAX_ENCODED_BYTES = 8 * 1024 * 1024;
/** A line of an encoded text has at least one character, but for some. */
const MAX_LINES = 600_000;
/** Four bytes for each character, and as much again for what switches between scripts. */
const MAX_DECODED_BYTES = 4 * 1024 * 1024;
const LF = 0x0a;
const TOO_LONG = 'The text of the mail is too long.';
/** The tags of a document around its content. */
const FRAME = /<!doctype[^<>]*>|<\/?(?:html|head|body)(?=[\s/>])[^<>]*>/gi;

/** What a mail, or a part of one, shows. */
export interface MailBody {
  html: string | null;
  text: string | null;
}

export interface ReadBody extends MailBody {
  /** Parts that are not forwarded. */
  attachments: number;
  /** A charset of a text whose letters are a guess, since it is not known; null: they are not. */
  unknownCharset: string | null;
}

/**
 * Reads what a mail shows: of alternatives the text and the last HTML, of other multiparts all parts one after the
 * other. Both are null for an empty mail. Throws UnreadableMail for a mail that shows nothing but has other parts, or
 * none, and for far too much to show. Linear in the length.
 */
export async function readBody(mail: MailPart): Promise<ReadBody> {
  let leaves: MailPart[] = [];
  let attachments = sort(mail, null, leaves, isText);
  if (leaves.length === 0) attachments = sort(mail, null, (leaves = []), isAnyText);
  checkSize(leaves);
  const bytes = await decodeParts(leaves);
  if (bytes.reduce((sum, { length }) => sum + length, 0) > MAX_DECODED_BYTES) throw tooLarge(TOO_LONG);
  const texts = new Map(leaves.map((leaf, i) => [leaf, textOf(leaf, bytes[i]!)]));
  const body = bodyOf(mail, texts);
  const isEmpty = body.html === null && body.text === null;
  if (isEmpty && (attachments > 0 || leaves.length === 0)) throw unusable(nothingToShow(mail));
  const unknown = leaves.map(({ type }, i) => unknownCharset(bytes[i]!, type.params.get('charset') ?? null));
  return { ...body, attachments, unknownCharset: unknown.find((name) => name !== null) ?? null };
}

type IsText = (part: MailPart) => boolean;

/** Adds the parts that can be shown to `leaves`; returns the number of others. */
function sort(part: MailPart, parent: MailPart | null, leaves: MailPart[], isShownText: IsText): number {
  if (isEncrypted(part)) return 1;
  if (part.children) return part.children.reduce((count, child) => count + sort(child, part, leaves, isShownText), 0);
  if (isShownText(part) && isShown(part, parent)) {
    leaves.push(part);
    return 0;
  }
  return isExtra(part, parent) ? 0 : 1;
}

const isEncrypted = ({ type }: MailPart): boolean => type.value === 'multipart/encrypted';

function isShown(part: MailPart, parent: MailPart | null): boolean {
  if (!['', 'inline'].includes(part.disposition.value)) return false;
  const named = part.type.params.has('name') || part.disposition.params.has('filename');
  // A file that is shown below the text in some readers.
  return !named || parent?.type.value !== 'multipart/mixed' || parent.children![0] === part;
}

/** Plain text or HTML. A type that is none (`text`, or an empty one) is plain text (RFC 2045 section 5.2). */
const isText: IsText = ({ type }) =>
  type.value === 'text/html' || type.value === 'text/plain' || !type.value.includes('/');

/**
 * Where there is neither: of a type that is not known, such as Markdown, which is to be shown as plain text (RFC 2046
 * section 4.1.4). An invitation is none: programs read it.
 */
const isAnyText: IsText = ({ type }) => type.value.startsWith('text/') && type.value !== 'text/calendar';

/** A signature, or the same text once more in a format for few readers: no attachment to people. */
function isExtra(part: MailPart, parent: MailPart | null): boolean {
  const { value } = part.type;
  if (parent?.type.value === 'multipart/signed') return parent.children![0] !== part;
  return parent?.type.value === 'multipart/alternative' && value.startsWith('text/') && value !== 'text/calendar';
}

function checkSize(leaves: readonly MailPart[]): void {
  let lines = 0;
  let bytes = 0;
  for (const { body } of leaves) {
    bytes += body.length;
    if (bytes > MAX_ENCODED_BYTES) throw tooLarge(TOO_LONG);
    for (let at = body.indexOf(LF); at >= 0; at = body.indexOf(LF, at + 1)) lines++;
    if (lines > MAX_LINES) throw tooLarge('The text of the mail has too many lines.');
  }
}

/** With LF at the end of lines, and none at the end. */
function textOf({ type }: MailPart, bytes: Uint8Array): string {
  const { params } = type;
  const text = decodeText(bytes, params.get('charset') ?? null)
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .trimEnd();
  const isFlowed = type.value !== 'text/html' && params.get('format')?.toLowerCase() === 'flowed';
  return isFlowed ? unflow(text, params.get('delsp')?.toLowerCase() === 'yes') : text;
}

function bodyOf(part: MailPart, texts: ReadonlyMap<MailPart, string>): MailBody {
  if (!part.children) {
    const text = texts.get(part) || null;
    return part.type.value === 'text/html' ? { html: text, text: null } : { html: null, text };
  }
  const bodies = part.children.map((child) => bodyOf(child, texts));
  return part.type.value === 'multipart/alternative' ? choose(bodies) : join(bodies);
}

/** The best alternative is the last (RFC 2046 section 5.1.4). */
const choose = (bodies: readonly MailBody[]): MailBody => ({
  html: bodies.findLast(({ html }) => html !== null)?.html ?? null,
  text: bodies.find(({ text }) => text !== null)?.text ?? null,
});

/**
 * All of it: a text beside HTML becomes HTML. The text counts only when it leaves nothing out. Of several documents the
 * frames go: what stands outside a body is missing from the text part, and the footer would end the first body.
 */
function join(bodies: readonly MailBody[]): MailBody {
  const shown = bodies.filter(({ html, text }) => html !== null || text !== null);
  const hasHtml = shown.some(({ html }) => html !== null);
  const hasText = shown.length > 0 && shown.every(({ text }) => text !== null);
  if (shown.length === 1) return shown[0]!;
  return {
    html: hasHtml
      ? shown.map(({ html, text }) => (html === null ? htmlOfText(text!) : blockOf(html))).join('\n')
      : null,
    text: hasText ? shown.map(({ text }) => text!).join('\n\n') : null,
  };
}

/** What a document shows, as a block of another one. */
const blockOf = (html: string): string => `<div>${html.replace(FRAME, '').trim()}</div>`;

function nothingToShow(mail: MailPart): string {
  return hasEncrypted(mail)
    ? 'The mail is encrypted, or signed in a form that hides its text; send it as plain MIME.'
    : 'The mail has neither text nor HTML; attachments are not forwarded.';
}

const hasEncrypted = (part: MailPart): boolean =>
  isEncrypted(part) ||
  /^application\/(?:x-)?pkcs7-mime$/.test(part.type.value) ||
  (part.children ?? []).some(hasEncrypted);
