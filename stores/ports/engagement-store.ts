import type { Engagement, EngagementOrder } from '../../domain/engagement';
import type { Page, PageQuery } from './page';

export interface EngagementQuery extends PageQuery {
  by: EngagementOrder;
  /** Start of the period, ms; null = all time. Drivers may begin with the hour it lies in. */
  since: number | null;
  /** Only members of it. */
  audienceId: number | null;
}

/**
 * What contacts did, from roll-ups that SignalStore writes in the commit of each signal (DESIGN section 8). Contacts without an
 * open or click in the period are left out; equal ones are in order of their id.
 */
export interface EngagementStore {
  top(workspaceId: number, query: EngagementQuery): Promise<Page<Engagement>>;
}
