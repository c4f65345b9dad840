import { unless, type Difference } from './difference';

/** How many items of a list are in a range of ids. */
export interface ListCount {
  /** `contacts`, `queued messages` ... */
  list: string;
  /** The first and the last id of the range. */
  from: number;
  to: number;
  /** Items there are. */
  items: number;
  /** What the counter says that totals and pages are made of. */
  counted: number;
}

/** A counter that is wrong makes a total wrong, and cuts the pages in other places. */
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
