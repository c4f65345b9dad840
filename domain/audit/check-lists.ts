import { unless, type Difference } from './difference';

/** The number of items of a list in a range of ids. */
export interface ListCount {
  /** `contacts`, `queued messages` ... */
  list: string;
  /** The first and the last id of the range. */
  from: number;
  to: number;
  /** Actual number of items. */
  items: number;
  /** The stored counter, used for totals and pages. */
  counted: number;
}

/** A wrong counter makes totals and page boundaries wrong. */
export function checkListCount(workspaceId: number, count: ListCount): readonly Difference[] {
  const { list, from, to, items, counted } = count;
  return unless(
    items === counted,
    'list-count',
    `workspace ${workspaceId} ${list} ${from} to ${to}`,
    `${items}`,
    `${counted}`,
  );
}
