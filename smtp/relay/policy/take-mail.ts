import { asciiDomainAddress, canonicalAddress } from '../../../schemas/rules/email-address';
import type { PreparedMessage } from '../../../operations/messages/accept/accept-request';
import { mailOf, type SendingDomain } from '../../../domain/settings/sending-domain';
import type { Workspace } from '../../../domain/settings/workspace';
import { givenFacts, type RelayedFields } from '../../../schemas/messages/send-message';
import { isMailFault, type SubmittedMail } from '../mail/submitted-mail';
import type { Reply, Transaction } from '../protocol/policy';
import { acceptOnce, type RelayedMessage } from './accept-once';
import { recheckLogin } from './check-login';
import { checkMail } from './check-mail';
import { checkSender } from './check-sender';
import { finalReply } from './final-reply';
import type { Login, SubmissionPolicyDeps } from './policy-deps';
import { relayKeys } from './relay-keys';
import { isReply, reply } from './replies';

/** A mail that shows nothing is sent on: printers and monitors send such mails. */
const NO_CONTENT = '<p></p>';

/**
 * The mail after the final dot: one message for each recipient, in one commit, and the final reply with their ids
 * (docs/contract.md#relay-replies). A recipient that stands twice, in whatever spelling, gets one. Rejects when a store
 * does; then nothing was made, or it is found again when the client sends the mail again.
 */
export async function takeMail(
  deps: SubmissionPolicyDeps,
  { login, recipients }: Transaction<Login>,
  content: Buffer,
): Promise<Reply> {
  const mail = await deps.read(content);
  if (isMailFault(mail)) return reply(mail.code, mail.enhanced, mail.text);
  const domain = await checkSender(deps, login, mail.from.address, 'From');
  if (isReply(domain)) return domain;
  const checked = checkMail(mail);
  if ('code' in checked) return checked;
  const workspace = await recheckLogin(deps, login);
  if (isReply(workspace)) return workspace;

  const prepared = prepare(workspace, domain, mail, checked.fields);
  const keys = relayKeys(deps.keyring, login, mail);
  const mailboxes = distinct(recipients);
  const messages = mailboxes.map(({ email, address }): RelayedMessage => ({
    message: { ...prepared, recipient: { address } },
    key: keys?.of(email) ?? null,
  }));
  const results = await acceptOnce(deps, messages, keys?.expires ?? false);
  const named = mailboxes.map(({ address }) => address);
  return finalReply(named, results, mail);
}

/** Each mailbox once, in order, as it was first written. */
function distinct(recipients: readonly string[]): { email: string; address: string }[] {
  const addresses = new Map<string, string>();
  for (const address of recipients) {
    const email = canonicalAddress(address);
    if (!addresses.has(email)) addresses.set(email, address);
  }
  return [...addresses].map(([email, address]) => ({ email, address }));
}

function prepare(
  workspace: Workspace,
  domain: SendingDomain,
  { from, attachmentsLeftOut, thread }: SubmittedMail,
  fields: RelayedFields,
): Omit<PreparedMessage, 'recipient' | 'idempotencyKey'> {
  return {
    sender: { workspace, domain },
    draft: {
      channel: 'smtp',
      lane: 'transactional',
      ...mailOf(domain),
      subject: fields.subject ?? '',
      fromEmail: asciiDomainAddress(from.address),
      ...givenFacts(fields),
      attachmentsLeftOut,
      thread,
    },
    body: { html: fields.html ?? NO_CONTENT, text: fields.text ?? null },
  };
}
