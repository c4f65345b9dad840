import Joi from 'joi';
import { CONTACT_STATUSES } from '../../domain/contact';
import { named } from './closed';
import { address, id, objectTime } from './fields';
import { page } from './page';

/** A contact (docs/contract.md#contact). */
export const contactAnswer = named('Contact', {
  id,
  workspace_id: id,
  email: address,
  name: Joi.string().allow(null),
  status: Joi.valid(...CONTACT_STATUSES),
  subscribed_at: objectTime,
  unsubscribed_at: objectTime.allow(null),
  created_at: objectTime,
  updated_at: objectTime,
}).example({
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
export const contactPageAnswer = page('ContactPage', contactAnswer);
