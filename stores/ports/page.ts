/**
 * A cut of a list; its cost grows neither with the offset nor with what is stored
 * (docs/decisions/0029-lists-are-counted-by-blocks.md).
 */
export interface PageQuery {
  offset: number;
  limit: number;
}

export interface Page<T> {
  /** Items of the whole list. */
  total: number;
  items: T[];
}
