/** Lists with page numbers: the contacts of a workspace, the members of an audience. Items are ordered by id. */
export type CountedList = 'contacts' | 'members';

/** Ids per block. */
export const BLOCK_SIZE = 1_024;

/**
 * How many items of a list have an id in a block. This gives the total and the start of a page without skipping over
 * all items before it (docs/decisions/0029-lists-are-counted-in-blocks.md).
 */
export interface ListBlock {
  /** Covers the ids from `block * BLOCK_SIZE` on. */
  block: number;
  n: number;
}

/** The block that counts an id. */
export const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** Number of items in the whole list. */
export const totalOf = (blocks: readonly ListBlock[]): number => blocks.reduce((sum, { n }) => sum + n, 0);

/** Where an item of a list is: its block, and how many items of that block precede it. */
export interface BlockPlace {
  block: number;
  skip: number;
}

/** The place of the item at `offset`, with the blocks in list order; null when the list ends earlier. */
export function findPlace(blocks: readonly ListBlock[], offset: number): BlockPlace | null {
  let before = 0;
  for (const { block, n } of blocks) {
    if (offset < before + n) return { block, skip: offset - before };
    before += n;
  }
  return null;
}
