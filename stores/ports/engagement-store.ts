import type { Engagement, EngagementOrder } from '../../domain/engagement';
import type { Page, PageQuery } from './page';

export interface EngagementQuery extends PageQuery {
  by: EngagementOrder;
  /** Start of the period, ms, at the full hour (see periodStart); null = all time. It ends now. */
  since: number | null;
  /** Only members of it. */
  audienceId: number | null;
}

/**
 * What contacts did, from roll-ups that SignalStore writes in the commit of each signal
 * (docs/decisions/0031-engagement-roll-ups.md). Contacts without an open or click in the period are left out; equal
 * ones are in order of their id. A question takes long, up to some seconds over 10^6 rows: it holds up nothing else of
 * the engine, questions wait for each other, and when too many wait UnavailableError.
 */
export interface EngagementStore {
  top(workspaceId: number, query: EngagementQuery): Promise<Page<Engagement>>;
}
