import type { Audience } from '../../domain/contacts/audience';
import { objectTime } from '../rules/timestamps';

/** An audience (docs/contract.md#audience). */
export function presentAudience(audience: Audience): object {
  return {
    id: audience.id,
    workspace_id: audience.workspaceId,
    name: audience.name,
    description: audience.description,
    public_token: audience.publicToken,
    opt_in_mode: audience.optInMode,
    created_at: objectTime(audience.createdAt),
    updated_at: objectTime(audience.updatedAt),
    contacts_count: audience.contactsCount,
  };
}
