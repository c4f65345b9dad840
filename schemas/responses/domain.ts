import Joi from 'joi';
import { DOMAIN_STATUSES } from '../../domain/sending-domain';
import { named } from './closed';
import { id } from './fields';

/** A sending domain (docs/contract.md#sending-domains). */
export const domainAnswer = named('Domain', {
  id,
  domain: Joi.string(),
  status: Joi.valid(...DOMAIN_STATUSES).description('Only `active` may send.'),
}).example({ id: 7, domain: 'mail.tokomelati.example', status: 'active' });

/** GET /domains. */
export const domainsAnswer = Joi.array().items(domainAnswer);
