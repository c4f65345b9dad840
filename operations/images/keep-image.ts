import { IMAGE_QUOTA, imageId, olderImageId, type Image } from '../../domain/images/image';
import type { Keyring } from '../../domain/keyring';
import type { Stores } from '../../stores/ports';

type ImageStores = Pick<Stores, 'images'>;

/**
 * Keeps an image for the mails of a workspace, at `now`, ms. The same content is kept once, and answered as it is. Null
 * when the workspace may keep no more.
 */
export async function keepImage(
  { images }: ImageStores,
  keyring: Keyring,
  file: Omit<Image, 'id' | 'size' | 'createdAt'>,
  content: Buffer,
  now: number,
): Promise<Image | null> {
  const older = olderImageId(keyring, file.workspaceId, content);
  const id = (await images.content(older)) ? older : imageId(keyring, file.workspaceId, content);
  return images.add({ ...file, id, size: content.length, createdAt: now }, content, IMAGE_QUOTA);
}

/** Deletes an image, also one that is in use. False if the workspace has no such image. */
export const deleteImage = ({ images }: ImageStores, { workspaceId, id }: Image): Promise<boolean> =>
  images.delete(workspaceId, id);
