import type { EngagementStore } from '../../ports/engagement-store';
import type { Database } from '../database/database';
import { topContacts } from './top-contacts';

/** Embedded driver of EngagementStore. Blocks its thread during a query. */
export function engagementStore(db: Database): EngagementStore {
  return { top: async (workspaceId, query) => topContacts(db, workspaceId, query) };
}
