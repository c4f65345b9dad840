import Joi from 'joi';
import { SCOPES } from '../../domain/workspace';
import { closed, named } from './closed';
import { domainAnswer } from './domain';
import { count, id } from './fields';

const workspace = closed({ id, name: Joi.string(), business_address_set: Joi.boolean() });
const apiKey = closed({ name: Joi.string(), scopes: Joi.array().items(Joi.valid(...SCOPES)) });
const limits = closed({ requests_per_minute: count, max_attachments: count, max_attachments_bytes: count });
const email = closed({
  coins: Joi.number().integer().description('The balance; penalties can make it negative.'),
  premium: Joi.boolean(),
  send_per_minute: count,
  send_per_day: count.allow(null).description('null: no daily limit.'),
  domains: Joi.array().items(domainAnswer),
});

/** Account info, the answer of GET /account (docs/contract.md#account-info). */
export const accountAnswer = named('Account', {
  workspace,
  modules: Joi.array().items(Joi.string()),
  api_key: apiKey,
  limits,
  email: email.optional().description('Present only while the Email Marketing module is active.'),
}).example({
  workspace: { id: 3, name: 'Toko Melati', business_address_set: true },
  modules: ['email_marketing'],
  api_key: { name: 'Kunci utama', scopes: ['send_email', 'manage_contacts'] },
  limits: { requests_per_minute: 60, max_attachments: 10, max_attachments_bytes: 10_485_760 },
  email: {
    coins: 9_750,
    premium: true,
    send_per_minute: 1_200,
    send_per_day: null,
    domains: [{ id: 7, domain: 'mail.tokomelati.example', status: 'active' }],
  },
});
