import Joi, { type CustomHelpers } from 'joi';
import { lookup } from 'mime-types';
import type { Attachment } from '../../domain/messages/message';
import { cleanFilename, hidesExtension, isRiskyFilename } from './attachment-name';
import { decodeBase64 } from './base64';
import { RISKY_TYPES } from './risky-types';
import { text } from '../rules/text';
import type { Shape } from '../rules/normalize';
import { inJsonSchema } from '../rules/json-schema';

/** Limits of an attachment, sizes in MiB (docs/contract.md#attachments). */
export const MAX_ATTACHMENTS = 10;
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
const MAX_NAME = 255;
const MAX_TYPE = 255;
const UNKNOWN_TYPE = 'application/octet-stream';

/** `type/subtype` of RFC 2045 tokens and optional parameters; no line breaks after the slash. */
const MIME_TYPE = /^([\w!#$&^+.-]+\/[\w!#$&^+.-]+)(?:\s*;\s*[\w!#$&^+.-]+=(?:[\w!#$&^+.-]+|"[\w !#$&^+.,:/-]*"))*$/;
/** Groups of four would overflow the stack of a regular expression on a large file; the decoder checks the length. */
const BASE64 = '^[A-Za-z0-9+/]+={0,2}$';
const CHARSET = /;\s*charset="?([\w!#$&^+.-]+)"?/i;

export const attachmentShape = { filename: 'text', content: 'base64', content_type: 'text' } as const satisfies Shape;

/** An item after the rules: the name cleaned, the content decoded. */
export interface AttachmentFields {
  filename: string;
  content: Buffer;
  content_type?: string;
}

const filename = text(MAX_NAME, (value, { error }) => {
  if (hidesExtension(value)) return error('filename.hides');
  const name = cleanFilename(value);
  if (name === '') return error('filename.empty');
  return isRiskyFilename(name) ? error('filename.risky') : name;
});
const content = Joi.any()
  .custom((value: unknown, { error }) => {
    if (typeof value === 'string') return decodeBase64(value) ?? error('base64.invalid');
    return Buffer.isBuffer(value) ? value : error('string.base');
  })
  .meta(inJsonSchema({ type: 'string', minLength: 4, contentEncoding: 'base64', pattern: BASE64 }));
const contentType = text(MAX_TYPE, (value, { error }) => {
  const type = mimeType(value);
  if (type === null) return error('mime.invalid');
  return RISKY_TYPES.has(type.split(';', 1)[0]!) ? error('mime.risky') : type;
}).meta(inJsonSchema({ pattern: MIME_TYPE.source }));

const attachment = Joi.object<AttachmentFields>({
  filename: filename
    .required()
    .description(
      'Folder parts, control characters and `" \\ / : * ? < > |` are stripped. `;` and `::` are refused, as are extensions of programs.',
    ),
  content: content.required().description('Standard base64 with padding; no data URL, no line breaks.'),
  content_type: contentType.description('MIME type, not one of programs. Guessed from the extension when empty.'),
}).meta({ component: 'Attachment', about: 'A file to attach.' });

/** The `attachments` of POST /messages. */
export const attachments = Joi.array<AttachmentFields[]>()
  .items(attachment)
  .max(MAX_ATTACHMENTS)
  .custom((items: unknown[], { error }: CustomHelpers) => {
    const bytes = items.reduce((sum: number, item) => sum + decodedSize(item), 0);
    return bytes > MAX_ATTACHMENT_BYTES ? error('attachments.size') : items;
  });

/** Invalid items arrive unchanged; they count as 0. */
function decodedSize(item: unknown): number {
  const { content } = (item ?? {}) as Partial<AttachmentFields>;
  return Buffer.isBuffer(content) ? content.length : 0;
}

/** The attachment to store; a missing type is guessed from the extension (docs/contract.md#attachments). */
export function toAttachment({ filename, content, content_type }: AttachmentFields): Attachment {
  return { filename, content, contentType: leafType(content_type ?? (lookup(filename) || UNKNOWN_TYPE)) };
}

/** The type in lower case with its charset, without other parameters; null when invalid. */
function mimeType(value: string): string | null {
  const type = MIME_TYPE.exec(value)?.[1]?.toLowerCase();
  if (!type) return null;
  const charset = CHARSET.exec(value)?.[1];
  return charset ? `${type}; charset=${charset}` : type;
}

/** Replaces composite types, which may not be sent as base64 (RFC 2045 section 6.4); a file is not composite. */
function leafType(type: string): string {
  return /^(multipart|message)\//.test(type) ? UNKNOWN_TYPE : type;
}
