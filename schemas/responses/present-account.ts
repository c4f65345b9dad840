import { isPremium, type CoinAccount } from '../../domain/ledger/coins';
import { sendRate } from '../../domain/queue/send-rate';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { ApiKey, Workspace } from '../../domain/settings/workspace';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../messages/attachment';
import { presentDomain } from './present-domain';

const EMAIL_MODULE = 'email_marketing';

interface AccountFacts {
  workspace: Workspace;
  key: ApiKey;
  /** The default of the service. */
  ratePerMinute: number;
  /** Null omits the email section. */
  email: object | null;
}

/** Account info (docs/contract.md#account-info). */
export function presentAccount({ workspace, key, ratePerMinute, email }: AccountFacts): object {
  return {
    workspace: {
      id: workspace.id,
      name: workspace.name,
      business_address_set: workspace.businessAddress.trim() !== '',
    },
    modules: workspace.emailModule ? [EMAIL_MODULE] : [],
    api_key: { name: key.name, scopes: key.scopes },
    limits: {
      requests_per_minute: key.ratePerMinute ?? ratePerMinute,
      max_attachments: MAX_ATTACHMENTS,
      max_attachments_bytes: MAX_ATTACHMENT_BYTES,
    },
    ...(email && { email }),
  };
}

/** The email section of account info (docs/contract.md#account-info); `now` in ms. */
export function presentEmailAccount(
  account: CoinAccount,
  domains: readonly SendingDomain[],
  { rates }: Workspace,
  now: number,
): object {
  const premium = isPremium(account, now);
  const rate = sendRate(premium, rates);
  return {
    coins: account.balance,
    premium,
    send_per_minute: rate.perMinute,
    send_per_day: rate.perDay,
    domains: domains.map(presentDomain),
  };
}
