import { shownStatus, type Contact } from '../../domain/contacts/contact';
import type { Member } from '../../stores/ports/audience-store';
import { objectTime } from '../rules/timestamps';

const timeOrNull = (at: number | null): string | null => (at === null ? null : objectTime(at));

/** A contact (docs/contract.md#contact). */
export function presentContact(contact: Contact): object {
  return {
    id: contact.id,
    workspace_id: contact.workspaceId,
    email: contact.email,
    name: contact.name,
    status: shownStatus(contact.status),
    subscribed_at: timeOrNull(contact.subscribedAt),
    unsubscribed_at: timeOrNull(contact.unsubscribedAt),
    created_at: objectTime(contact.createdAt),
    updated_at: objectTime(contact.updatedAt),
  };
}

/** A contact as a member of an audience (docs/contract.md#members-of-an-audience). */
export function presentMember({ contact, confirmedAt }: Member): object {
  return { ...presentContact(contact), membership: confirmedAt === null ? 'pending' : 'confirmed' };
}
