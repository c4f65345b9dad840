import { acceptMessage, type Accepted } from './accept/accept-messages';
import { checkSender } from './accept/check-sender';
import { Refusal, type RefusalReason } from './accept/refusal';
import { readSwitches } from '../installation/switches';
import { mailOf } from '../../domain/settings/sending-domain';
import { REPEATED_FACTS } from '../../schemas/messages/send-message';
import { makeNewId } from '../../lib/new-id';
import type { Operator } from '../definition/operator';
import type { KeptMail } from './sent-mail';

/** Why a mail was not accepted again. */
export type AgainRefusal = RefusalReason | 'suspended_workspace' | 'module_closed';

/**
 * Accepts a new message with the recipient, the sender and the content of one of a caller, without attachments, which
 * count as left out; once for each reference. It passes the checks of any message of today, with their penalty
 * (docs/contract.md#penalty-for-a-forced-send). Rejects when a store or the log does.
 */
export async function sendAgain(
  { stores, log, clock, keyring: openKeyring }: Pick<Operator, 'stores' | 'log' | 'clock' | 'keyring'>,
  { message, body }: KeptMail,
  reference: string,
): Promise<Accepted | { refused: AgainRefusal }> {
  const { workspaceId, channel, subject, thread } = message;
  const [workspace, switches] = await Promise.all([stores.workspaces.get(workspaceId), readSwitches(stores.settings)]);
  if (!workspace?.emailModule || !switches.module) return { refused: 'module_closed' };
  if (workspace.suspended) return { refused: 'suspended_workspace' };
  const named = { sending_domain_id: message.domainId, from_email: message.fromEmail };
  const sender = await checkSender(stores.domains, workspaceId, named);
  if (sender instanceof Refusal) return { refused: sender.reason };
  const { domain, fromEmail } = sender;
  const keyring = await openKeyring();
  const accepted = await acceptMessage(
    { stores, log, clock, keyring, newId: makeNewId(clock) },
    {
      sender: { workspace, domain },
      draft: {
        channel,
        lane: 'transactional',
        ...mailOf(domain),
        subject,
        fromEmail,
        ...Object.fromEntries(REPEATED_FACTS.map((name) => [name, message[name]])),
        // Another mail in the same thread.
        thread: thread && { ...thread, messageId: null },
        attachmentsLeftOut: message.attachmentsLeftOut + (message.attachmentCount ?? 0),
      },
      recipient: { address: message.toText },
      body,
      // Longer than any key of a caller, so apart from them.
      idempotencyKey: `again:${keyring.hashMail(['again', message.id, reference])}`,
    },
  );
  return accepted instanceof Refusal ? { refused: accepted.reason } : accepted;
}
