import Joi from 'joi';
import { isPremium, type CoinAccount } from '../../domain/ledger/coins';
import { sendRate } from '../../domain/queue/send-rate';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { ApiKey, Workspace } from '../../domain/settings/workspace';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../messages/attachment';
import { scope } from '../rules/enums';
import { list, named, nullable, optional, type ValueOf } from './closed';
import { domainAnswer, presentDomain } from './domain';
import { count, id } from './fields';

const workspace = named(
  'AccountWorkspace',
  {
    id: id.description('The id of the workspace.'),
    name: Joi.string().description('The name of the workspace.'),
    business_address_set: Joi.boolean().description('Whether a business address is set; campaigns need one.'),
  },
  'The workspace of the key.',
);

const apiKey = named(
  'AccountKey',
  {
    name: Joi.string().description('The name of the key.'),
    scopes: list(scope).description('The scopes of the key.'),
  },
  'The API key of this request.',
);

const limits = named(
  'AccountLimits',
  {
    requests_per_minute: count.description('API requests per minute with this key.'),
    max_attachments: count.description('Attachments per email.'),
    max_attachments_bytes: count.description('Total size of the attachments of an email in bytes, decoded.'),
  },
  'The limits of the API.',
);

const email = named(
  'AccountEmail',
  {
    coins: Joi.number().integer().description('The balance in coins; penalties can make it negative.'),
    premium: Joi.boolean().description('Whether the account holds valid purchased coins.'),
    send_per_minute: count.description('Emails per minute, over all ways to send.'),
    send_per_day: nullable(count).description('Emails per day; null: no daily limit.'),
    domains: list(domainAnswer).description('The sending domains.'),
  },
  'The Email Marketing module of the workspace.',
);

/** Account info, the answer of GET /account (docs/contract.md#account-info). */
export const accountAnswer = named(
  'Account',
  {
    workspace: workspace.description('The workspace of the key.'),
    modules: list(Joi.string()).description('The active modules: `email_marketing` or none.'),
    api_key: apiKey.description('The key of this request.'),
    limits: limits.description('The limits of the API.'),
    email: optional(email).description('Present only while the Email Marketing module is active and open.'),
  },
  'The workspace, its key and their limits.',
).example({
  workspace: { id: 3, name: 'Toko Melati', business_address_set: true },
  modules: ['email_marketing'],
  api_key: { name: 'Kunci utama', scopes: ['send_email', 'manage_contacts'] },
  limits: { requests_per_minute: 60, max_attachments: 10, max_attachments_bytes: 10_485_760 },
  email: {
    coins: 9_750,
    premium: true,
    send_per_minute: 1_200,
    send_per_day: null,
    domains: [{ id: 7, domain: 'mail.tokomelati.example', status: 'active', category: 'marketing' }],
  },
});

interface AccountFacts {
  workspace: Workspace;
  key: ApiKey;
  /** The default of the service. */
  ratePerMinute: number;
  /** Null omits the email section. */
  coins: CoinAccount | null;
  domains: readonly SendingDomain[];
  /** ms */
  now: number;
}

export const presentAccount = ({
  workspace,
  key,
  ratePerMinute,
  coins,
  domains,
  now,
}: AccountFacts): ValueOf<typeof accountAnswer> => ({
  workspace: {
    id: workspace.id,
    name: workspace.name,
    business_address_set: workspace.businessAddress.trim() !== '',
  },
  modules: workspace.emailModule ? ['email_marketing'] : [],
  api_key: { name: key.name, scopes: key.scopes },
  limits: {
    requests_per_minute: key.ratePerMinute ?? ratePerMinute,
    max_attachments: MAX_ATTACHMENTS,
    max_attachments_bytes: MAX_ATTACHMENT_BYTES,
  },
  ...(coins && { email: presentEmail(coins, domains, workspace, now) }),
});

function presentEmail(
  coins: CoinAccount,
  domains: readonly SendingDomain[],
  { rates }: Workspace,
  now: number,
): ValueOf<typeof email> {
  const premium = isPremium(coins, now);
  const rate = sendRate(premium, rates);
  return {
    coins: coins.balance,
    premium,
    send_per_minute: rate.perMinute,
    send_per_day: rate.perDay,
    domains: domains.map(presentDomain),
  };
}
