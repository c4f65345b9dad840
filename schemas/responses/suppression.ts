import Joi from 'joi';
import { ownReason } from '../rules/enums';
import { named } from './closed';
import { address, objectTime, uuid } from './fields';
import { page } from './page';

/** POST /suppressions, and an item of GET /suppressions without `email` (docs/contract.md#list-of-suppressions). */
export const suppressionAnswer = named(
  'Suppression',
  {
    email: address
      .allow(null)
      .description('The address, while a contact or the message that caused the entry has it; otherwise null.'),
    address_hash: Joi.string().description('The keyed hash of the address. The same address has the same hash.'),
    reason: ownReason,
    message_id: uuid.allow(null).description('The message whose bounce or complaint caused the entry.'),
    created_at: objectTime.description('Since when the address is blocked for this reason.'),
  },
  'An address on the suppression list of the workspace.',
).example({
  email: 'budi@pelanggan.example',
  address_hash: 'Zr3mG2oM0nq7sV5xYb1kDw',
  reason: 'manual',
  message_id: null,
  created_at: '2026-09-22T03:15:06.088000Z',
});

/** GET /suppressions without `email`. */
export const suppressionPageAnswer = page('SuppressionPage', suppressionAnswer, 'suppressions');
