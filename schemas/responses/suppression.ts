import Joi from 'joi';
import { SUPPRESSION_REASONS, type KnownEntry, type OWN_REASONS } from '../../domain/contacts/suppression';
import { ownReason } from '../rules/enums';
import { objectTime as timeText } from '../rules/timestamps';
import { named, nullable, oneOf, type ValueOf } from './closed';
import { address, objectTime, uuid } from './fields';
import { page } from './page';

/** POST /suppressions, and an item of GET /suppressions without `email` (docs/contract.md#list-of-suppressions). */
export const suppressionAnswer = named(
  'Suppression',
  {
    email: nullable(address).description(
      'The address, as long as a contact or the message that caused the entry has it; otherwise null.',
    ),
    address_hash: Joi.string().description('The keyed hash of the address. The same address has the same hash.'),
    reason: ownReason,
    message_id: nullable(uuid).description('The message whose bounce or complaint caused the entry.'),
    created_at: objectTime.description('Since when the address has been suppressed for this reason.'),
  },
  'An address on the suppression list of the workspace.',
).example({
  email: 'budi@pelanggan.example',
  address_hash: 'Zr3mG2oM0nq7sV5xYb1kDw',
  reason: 'manual',
  message_id: null,
  created_at: '2026-09-22T03:15:06.088000Z',
});

export const presentSuppression = (entry: KnownEntry): ValueOf<typeof suppressionAnswer> => ({
  email: entry.email,
  address_hash: entry.addressHash,
  // Only the global list has entries of another reason.
  reason: entry.reason as (typeof OWN_REASONS)[number],
  message_id: entry.messageId,
  created_at: timeText(entry.createdAt),
});

/** GET /suppressions without `email`. */
export const suppressionPageAnswer = page('SuppressionPage', suppressionAnswer, 'suppressions');

const REASONS = [...SUPPRESSION_REASONS, 'unsubscribed', 'bounced', 'complained'] as const;

/** GET /suppressions with `email` (docs/contract.md#suppression-check). */
export const suppressionCheckAnswer = named(
  'SuppressionCheck',
  {
    email: address.description('The address as requested.'),
    can_send: Joi.boolean().description('Whether it can be sent to.'),
    reason: nullable(oneOf(...REASONS)).description(
      'null: can send. `hard_bounce`: the address does not exist or is permanently rejected. `complaint`: the recipient once ' +
        'reported spam. `manual`: suppressed by the owner. `global`: suppressed for all workspaces. `unsubscribed`, ' +
        "`bounced`, `complained`: the contact's status.",
    ),
  },
  'Whether an address can be sent to.',
).example({ email: 'siti@pelanggan.example', can_send: true, reason: null });

type Check = ValueOf<typeof suppressionCheckAnswer>;

export const presentSuppressionCheck = (email: string, reason: Check['reason']): Check => ({
  email,
  can_send: reason === null,
  reason,
});
