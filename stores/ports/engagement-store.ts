import type { Engagement, EngagementOrder } from '../../domain/engagement/engagement';
import type { Page, PageQuery } from './page';

export interface EngagementQuery extends PageQuery {
  by: EngagementOrder;
  /** Start of the period, ms, on the full hour (see periodStart); null = all time. The period ends now. */
  since: number | null;
  /** Only members of this audience; null = all contacts. */
  audienceId: number | null;
}

/** What one contact did, of all time. */
export type ContactEngagement = Omit<Engagement, 'contact' | 'received'>;

/**
 * What contacts did, read from the roll-ups that SignalStore writes in the commit of each signal
 * (docs/decisions/0031-engagement-counts-in-the-hour-of-the-last-open.md). Leaves out contacts without an open or click
 * in the period. Contacts with equal counts are ordered by id. A query may take a few seconds over 10^6 rows. It does
 * not delay the rest of the engine: queries wait for each other, and UnavailableError is thrown if too many wait.
 */
export interface EngagementStore {
  top(workspaceId: number, query: EngagementQuery): Promise<Page<Engagement>>;
  /** Null if the contact never opened or clicked, or is of another workspace. */
  ofContact(workspaceId: number, contactId: number): Promise<ContactEngagement | null>;
}
