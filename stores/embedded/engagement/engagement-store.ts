import { ALL_TIME } from '../../../domain/engagement/engagement';
import type { ContactEngagement, EngagementStore } from '../../ports/engagement-store';
import type { Database } from '../database/database';
import { topContacts } from './top-contacts';

const OF_CONTACT = `SELECT opened, clicked, clicks AS totalClicks, opened_by_people AS openedByPeople,
    clicked_by_people AS clickedByPeople, clicks_by_people AS totalClicksByPeople, last_at AS lastActivityAt
  FROM engagement WHERE workspace_id = ? AND hour = ${ALL_TIME} AND contact_id = ?`;

/** Embedded driver of EngagementStore. Blocks its thread during a query. */
export function engagementStore(db: Database): EngagementStore {
  return {
    top: async (workspaceId, query) => topContacts(db, workspaceId, query),
    ofContact: async (workspaceId, contactId) => db.get<ContactEngagement>(OF_CONTACT, workspaceId, contactId) ?? null,
  };
}
