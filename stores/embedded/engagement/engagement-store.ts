import type { EngagementStore } from '../../ports/engagement-store';
import type { Database } from '../database/database';
import { topContacts } from './top-contacts';

/** Embedded driver of EngagementStore, for whoever may wait for it in his own thread. */
export function engagementStore(db: Database): EngagementStore {
  return { top: async (workspaceId, query) => topContacts(db, workspaceId, query) };
}
