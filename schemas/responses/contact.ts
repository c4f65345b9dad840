import Joi from 'joi';
import { shownStatus, type Contact } from '../../domain/contacts/contact';
import type { Member } from '../../stores/ports/audience-store';
import { contactStatus } from '../rules/enums';
import { objectTime as timeText } from '../rules/timestamps';
import { named, nullable, oneOf, type ValueOf } from './closed';
import { address, id, objectTime } from './fields';
import { page } from './page';

const fields = {
  id: id.description('The id of the contact.'),
  workspace_id: id.description('The workspace of the contact.'),
  email: address.description('Its email address.'),
  name: nullable(Joi.string()).description('Its name; null if unknown.'),
  status: contactStatus,
  subscribed_at: objectTime.description('When it was subscribed.'),
  unsubscribed_at: nullable(objectTime).description('When it unsubscribed; null while it is subscribed.'),
  created_at: objectTime.description('When it was created.'),
  updated_at: objectTime.description('When it was last changed.'),
};

const example = {
  id: 1842,
  workspace_id: 3,
  email: 'siti@pelanggan.example',
  name: 'Siti Rahma',
  status: 'subscribed',
  subscribed_at: '2026-09-22T03:15:06.088000Z',
  unsubscribed_at: null,
  created_at: '2026-09-22T03:15:06.088000Z',
  updated_at: '2026-09-22T03:15:06.088000Z',
};

/** A contact (docs/contract.md#contact). */
export const contactAnswer = named('Contact', fields, 'A person the workspace sends to.').example(example);

export const presentContact = (contact: Contact): ValueOf<typeof contactAnswer> => ({
  id: contact.id,
  workspace_id: contact.workspaceId,
  email: contact.email,
  name: contact.name,
  status: shownStatus(contact.status),
  // One that an import showed as gone never was; callers always get a time.
  subscribed_at: timeText(contact.subscribedAt ?? contact.createdAt),
  unsubscribed_at: contact.unsubscribedAt === null ? null : timeText(contact.unsubscribedAt),
  created_at: timeText(contact.createdAt),
  updated_at: timeText(contact.updatedAt),
});

/** A contact as a member of an audience (docs/contract.md#members-of-an-audience). */
export const memberAnswer = named(
  'Member',
  {
    ...fields,
    membership: oneOf('pending', 'confirmed').description(
      'With double opt-in, a member is `pending` until it confirms by email, and receives no campaigns until then.',
    ),
  },
  'A contact as a member of an audience.',
).example({ ...example, membership: 'confirmed' });

export const presentMember = ({ contact, confirmedAt }: Member): ValueOf<typeof memberAnswer> => ({
  ...presentContact(contact),
  membership: confirmedAt === null ? 'pending' : 'confirmed',
});

/** GET /contacts. */
export const contactPageAnswer = page('ContactPage', contactAnswer, 'contacts');

/** GET /audiences/{id}/contacts. */
export const memberPageAnswer = page('MemberPage', memberAnswer, 'members');
