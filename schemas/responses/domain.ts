import Joi from 'joi';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { domainCategory, domainStatus } from '../rules/enums';
import { named, type ValueOf } from './closed';
import { id } from './fields';

/** A sending domain (docs/contract.md#sending-domains). */
export const domainAnswer = named(
  'Domain',
  {
    id: id.description('For sending_domain_id of POST /messages.'),
    domain: Joi.string().description('The domain, in lower case and ASCII (punycode).'),
    status: domainStatus,
    category: domainCategory,
  },
  'A domain that the workspace can send from.',
).example({ id: 7, domain: 'mail.tokomelati.example', status: 'active', category: 'marketing' });

export const presentDomain = ({ id, domain, status, category }: SendingDomain): ValueOf<typeof domainAnswer> => ({
  id,
  domain,
  status,
  category,
});
