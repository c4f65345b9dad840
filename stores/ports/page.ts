/**
 * A slice of a list. Its cost grows neither with the offset nor with the size of the list
 * (docs/decisions/0029-lists-are-counted-in-blocks.md).
 */
export interface PageQuery {
  offset: number;
  limit: number;
}

export interface Page<T> {
  /** Number of items in the whole list. */
  total: number;
  items: T[];
}
