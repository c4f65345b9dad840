import Joi from 'joi';
import { SUPPRESSION_REASONS } from '../../domain/contacts/suppression';
import { named } from './closed';
import { address } from './fields';

const REASONS = [...SUPPRESSION_REASONS, 'unsubscribed', 'bounced', 'complained'] as const;

/** Suppression check result (docs/contract.md#suppression-check). */
export const suppressionCheckAnswer = named(
  'SuppressionCheck',
  {
    email: address.description('The address as it was asked for.'),
    can_send: Joi.boolean().description('Whether it may be sent to.'),
    reason: Joi.valid(...REASONS, null).description(
      'null: can send. `hard_bounce`: the address does not exist or is permanently rejected. `complaint`: the recipient once ' +
        'reported spam. `manual`: blocked by the owner. `global`: blocked for all senders of the service. `unsubscribed`, ' +
        "`bounced`, `complained`: the contact's status.",
    ),
  },
  'Whether an address may be sent to.',
).example({ email: 'siti@pelanggan.example', can_send: true, reason: null });
