/** Lists that are paged by number: the contacts of a workspace, the members of an audience. Items are in order of their id. */
export type CountedList = 'contacts' | 'members';

/** Ids of one block. */
export const BLOCK_SIZE = 1_024;

/**
 * How many items of a list have an id in a block: so the total and the place of a page are found without stepping over the
 * items before it (docs/decisions/0029-lists-are-counted-by-blocks.md).
 */
export interface ListBlock {
  /** Ids from `block * BLOCK_SIZE` on. */
  block: number;
  n: number;
}

/** The block an id is counted in. */
export const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** Items of the whole list. */
export const totalOf = (blocks: readonly ListBlock[]): number => blocks.reduce((sum, { n }) => sum + n, 0);

/** Where an item of a list is: in which block, after how many others of that block. */
export interface BlockPlace {
  block: number;
  skip: number;
}

/** The place of the item at `offset`, with the blocks in the order of the list; null when the list ends before. */
export function findPlace(blocks: readonly ListBlock[], offset: number): BlockPlace | null {
  let before = 0;
  for (const { block, n } of blocks) {
    if (offset < before + n) return { block, skip: offset - before };
    before += n;
  }
  return null;
}
