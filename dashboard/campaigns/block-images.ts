import { imagesOf, keepImage, type ListedImage } from '../images/images';
import type { Visit } from '../kit/screen';
import { blockAt, withUrl, type DraftBlock } from './block-fields';

/** What the blocks show of images: those to choose from, and why one was not kept, at the place of its block. */
export interface BlockImages {
  all: readonly ListedImage[];
  fault: { at: string; message: string } | null;
}

const hasImage = (blocks: readonly DraftBlock[]): boolean =>
  blocks.some(({ kind, columns }) => kind === 'image' || columns.some(hasImage));

/** The images for the editor of these blocks; none are looked up without an image among the blocks. */
export const imagesFor = async (
  visit: Visit,
  blocks: readonly DraftBlock[],
  fault: BlockImages['fault'] = null,
): Promise<BlockImages> => ({ all: hasImage(blocks) ? await imagesOf(visit) : [], fault });

/** Keeps the file that was chosen at the block of this place, and puts its address there. */
export async function uploadInto(
  visit: Visit,
  blocks: readonly DraftBlock[],
  at: string,
): Promise<{ blocks: readonly DraftBlock[]; fault: BlockImages['fault'] }> {
  if (blockAt(blocks, at)?.kind !== 'image') return { blocks, fault: null };
  const done = await keepImage(visit, visit.form.files?.get(`${at}.file`));
  if (!done.ok) return { blocks, fault: { at, message: done.fault.message } };
  return { blocks: withUrl(blocks, at, done.json.url), fault: null };
}
