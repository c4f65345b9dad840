import type { Membership } from '../../../domain/contacts/opt-in';
import type { MemberDocument } from '../database/documents';

/** The id of a member's document. */
export const memberId = (audienceId: number, contactId: number): string => `${audienceId}:${contactId}`;

/** A membership from its document. */
export const toMembership = ({ joinedAt, confirmedAt, pendingUntil, asked, byForm }: MemberDocument): Membership => ({
  joinedAt,
  confirmedAt,
  pendingUntil,
  asked,
  byForm,
});

/** The document of a membership. */
export const toMemberDocument = (audienceId: number, contactId: number, member: Membership): MemberDocument => ({
  _id: memberId(audienceId, contactId),
  audienceId,
  contactId,
  ...member,
});
