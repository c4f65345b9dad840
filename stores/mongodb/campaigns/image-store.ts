import type { ClientSession } from 'mongodb';
import type { Image, ImageQuota } from '../../../domain/images/image';
import type { ImageStore, ImageUse } from '../../ports/image-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { mapAll } from '../database/reads';
import { idsOfJourney } from '../journeys/enrollment-fields';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';

/** MongoDB driver of ImageStore. */
export function imageStore(mongo: Mongo): ImageStore {
  const { db } = mongo;
  const images = documents(db, 'images');
  return guarded<ImageStore>({
    add: (image, content, quota) => transact(mongo, (session) => add(mongo, session, image, content, quota)),
    content: async (id) => {
      const image = await images.findOne({ _id: id });
      const kept = image && (await documents(db, 'imageContents').findOne({ _id: id }, { promoteBuffers: true }));
      return kept && { image: fromDocument(image), content: kept.content };
    },
    list: (workspaceId) => mapAll(images.find({ workspaceId }).sort({ createdAt: -1, _id: 1 }), fromDocument),
    usedBy: (workspaceId, id) => usedBy(mongo, workspaceId, id),
    delete: (workspaceId, id) => transact(mongo, (session) => remove(mongo, session, workspaceId, id)),
  });
}

/** The sums of a workspace change with its images, so that of two additions at once one sees the other. */
async function add(
  { db }: Mongo,
  session: ClientSession,
  image: Image,
  content: Uint8Array,
  quota: ImageQuota,
): Promise<Image | null> {
  const images = documents(db, 'images');
  const there = await images.findOne({ _id: image.id }, { session });
  if (there) return fromDocument(there);
  const sums = documents(db, 'imageSums');
  const { count, bytes } = (await sums.findOne({ _id: image.workspaceId }, { session })) ?? { count: 0, bytes: 0 };
  if (count + 1 > quota.count || bytes + image.size > quota.bytes) return null;
  const more = { $inc: { count: 1, bytes: image.size } };
  await sums.updateOne({ _id: image.workspaceId }, more, { session, upsert: true });
  await images.insertOne(toDocument(image), { session });
  await documents(db, 'imageContents').insertOne({ _id: image.id, content }, { session });
  return image;
}

async function usedBy({ db }: Mongo, workspaceId: number, id: string): Promise<ImageUse | null> {
  const html = { $regex: id };
  const shown = { projection: { _id: 1 } } as const;
  for (const [kind, name] of [
    ['campaign', 'campaigns'],
    ['template', 'templates'],
  ] as const) {
    const found = await documents(db, name as 'templates').findOne({ workspaceId, html }, shown);
    if (found) return { kind, id: found._id };
  }
  for await (const { _id } of documents(db, 'journeys').find({ workspaceId }, shown)) {
    const mail = await documents(db, 'journeyMails').findOne({ _id: idsOfJourney(_id), html }, shown);
    if (mail) return { kind: 'journey', id: _id };
  }
  return null;
}

async function remove({ db }: Mongo, session: ClientSession, workspaceId: number, id: string): Promise<boolean> {
  const gone = await documents(db, 'images').findOneAndDelete({ _id: id, workspaceId }, { session });
  if (!gone) return false;
  await documents(db, 'imageContents').deleteOne({ _id: id }, { session });
  const less = { $inc: { count: -1, bytes: -gone.size } };
  await documents(db, 'imageSums').updateOne({ _id: workspaceId }, less, { session });
  return true;
}
