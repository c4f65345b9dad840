import Joi from 'joi';
import { contactStatus } from '../enums';
import { named } from './closed';
import { address, id, objectTime } from './fields';
import { page } from './page';

/** A contact (docs/contract.md#contact). */
export const contactAnswer = named(
  'Contact',
  {
    id: id.description('The id of the contact.'),
    workspace_id: id.description('The workspace that it belongs to.'),
    email: address.description('Its email address.'),
    name: Joi.string().allow(null).description('Its name; null when none is known.'),
    status: contactStatus,
    subscribed_at: objectTime.description('When it was subscribed.'),
    unsubscribed_at: objectTime.allow(null).description('When it unsubscribed; null while it is subscribed.'),
    created_at: objectTime.description('When it was created.'),
    updated_at: objectTime.description('When it was last changed.'),
  },
  'A person that the workspace writes to.',
).example({
  id: 1842,
  workspace_id: 3,
  email: 'siti@pelanggan.example',
  name: 'Siti Rahma',
  status: 'subscribed',
  subscribed_at: '2026-09-22T03:15:06.088000Z',
  unsubscribed_at: null,
  created_at: '2026-09-22T03:15:06.088000Z',
  updated_at: '2026-09-22T03:15:06.088000Z',
});

/** GET /contacts and GET /audiences/{id}/contacts. */
export const contactPageAnswer = page('ContactPage', contactAnswer, 'contacts');
