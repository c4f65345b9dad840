import { Binary, type Filter } from 'mongodb';
import type { Attachment } from '../../../domain/messages/message';
import type { Mongo } from '../database/client';
import { documents, type AttachmentDocument } from '../database/documents';

/** Well below the 16 MB limit of a document. */
const PART_BYTES = 4 * 1_048_576;
const four = (n: number): string => String(n).padStart(4, '0');
/** `;` follows `:`, so this matches the ids that start with the message's id. */
const partsOf = (messageId: string): Filter<AttachmentDocument> => ({
  _id: { $gte: `${messageId}:`, $lt: `${messageId};` },
});

/** Attachments as documents, in parts small enough for one document each. An empty attachment has one part too. */
export function attachmentDocuments(messageId: string, attachments: readonly Attachment[]): AttachmentDocument[] {
  return attachments.flatMap(({ filename, contentType, content }, n) =>
    Array.from({ length: Math.max(1, Math.ceil(content.length / PART_BYTES)) }, (_, part) => ({
      _id: `${messageId}:${four(n)}:${four(part)}`,
      filename,
      contentType,
      content: content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    })),
  );
}

/** The size of a message's attachments; the server reads them, and only the number comes here. */
export async function attachmentBytes({ db }: Mongo, messageId: string): Promise<number> {
  const [sum] = await documents(db, 'attachments')
    .aggregate<{ bytes: number }>([
      { $match: partsOf(messageId) },
      { $group: { _id: null, bytes: { $sum: { $binarySize: '$content' } } } },
    ])
    .toArray();
  return sum?.bytes ?? 0;
}

/** The attachments of a message, in order. */
export async function readAttachments({ db }: Mongo, messageId: string): Promise<Attachment[]> {
  const parts = await documents(db, 'attachments').find(partsOf(messageId)).sort({ _id: 1 }).toArray();
  const found = new Map<string, Omit<Attachment, 'content'> & { contents: Uint8Array[] }>();
  for (const { _id: id, filename, contentType, content } of parts) {
    const attachment = id.slice(0, id.lastIndexOf(':'));
    const known = found.get(attachment);
    if (known) known.contents.push(bytesOf(content));
    else found.set(attachment, { filename, contentType, contents: [bytesOf(content)] });
  }
  return [...found.values()].map(({ contents, ...rest }) => ({ ...rest, content: Buffer.concat(contents) }));
}

/** The driver returns its own byte type. */
const bytesOf = (content: Uint8Array | Binary): Uint8Array => (content instanceof Binary ? content.buffer : content);

/**
 * Deletes attachments that must not be kept, then the note that marks them for deletion. In this order a crash leaves
 * the note. While the note exists, they are not read.
 */
export async function finishDropping({ db }: Mongo, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await documents(db, 'attachments').deleteMany({ $or: messageIds.map(partsOf) });
  await documents(db, 'messages').updateMany(
    { _id: { $in: [...messageIds] }, dropping: true },
    { $unset: { dropping: '' } },
  );
}
