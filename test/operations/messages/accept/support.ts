import type { AcceptDeps } from '../../../../operations/messages/accept/accept-deps';
import type { PreparedMessage, SubmittedMessage } from '../../../../operations/messages/accept/accept-request';
import type { MessageStore } from '../../../../stores/ports/message-store';
import { messageId } from '../../../support/builders';
import { aMail, type Account, type TestApi } from '../../../support/test-api';

/** What the command is handed in its tests: the engine of a TestApi. */
export function acceptDeps({ stores, log, keyring, clock }: TestApi): AcceptDeps & {
  stores: { messages: MessageStore };
} {
  return { stores, log, keyring, clock, newId: () => messageId(clock.now()) };
}

/** A mail as the SMTP relay submits it. */
export const submitted = (account: Account, change: Partial<SubmittedMessage> = {}): SubmittedMessage => ({
  workspace: account.workspace,
  channel: 'smtp',
  fields: aMail(account.domain),
  source: 'json',
  idempotencyKey: null,
  ...change,
});

/** A mail as a campaign prepares it; its contact is given, or an address. */
export const prepared = (
  account: Account,
  recipient: PreparedMessage['recipient'],
  change: Partial<PreparedMessage> = {},
): PreparedMessage => ({
  sender: account,
  draft: {
    channel: 'app',
    lane: 'campaign',
    campaignId: 12,
    subject: 'Promo Melati',
    fromEmail: `promo@${account.domain.domain}`,
    fromName: 'Toko Melati',
  },
  recipient,
  body: { html: '<p>Promo</p>', text: null },
  ...change,
});
