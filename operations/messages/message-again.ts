import { type AgainRefusal, sendAgain } from './send-again';
import { isKept, type KeptMail } from './sent-mail';
import type { Message } from '../../domain/messages/message';
import { texts } from '../../domain/texts';
import { suspendedError } from '../campaigns/campaign-refusals';
import { findMessage } from './message-find';
import { newReference, repeatable } from '../definition/repeatable';
import { flag, OperationError, operation, option, type Session, text, why } from '../definition';

const FINAL: readonly Message['status'][] = ['delivered', 'bounced', 'failed'];

const ID = { label: '<id>' };

/** Throws OperationError for a message that cannot be sent again as it was. */
function refuseOthers(
  { id, channel, status, failedReason, attachmentCount }: Message,
  withoutAttachments: boolean,
): void {
  if (channel === 'app') {
    const fix = 'Campaigns, journeys, confirmations and invitations choose their recipients and times themselves.';
    throw new OperationError(why('not_own', { ...ID, id }), fix);
  }
  if (!FINAL.includes(status)) {
    const fix = `kurir message show ${id} shows what it is waiting for.`;
    throw new OperationError(why('on_its_way', { ...ID, id, status }), fix);
  }
  if (!withoutAttachments && (attachmentCount || failedReason === texts.attachmentsExpired)) {
    const count = attachmentCount ? ` (${attachmentCount})` : '';
    throw new OperationError(
      why('had_attachments', { ...ID, id, count }),
      'Send it from your application with the attachments, or use --without-attachments.',
    );
  }
}

async function keptMail({ stores }: Session, { id }: Message): Promise<KeptMail> {
  const job = await stores.messages.job(id);
  if (job && isKept(job)) return job;
  throw new OperationError(why('mail_gone', { ...ID, id }), 'Its contact was deleted.');
}

function refusalError(reason: AgainRefusal, { workspaceId, to, fromEmail }: Message): OperationError {
  switch (reason) {
    case 'module_closed':
      return new OperationError(why('module_closed'), `Turn it on: kurir workspace module ${workspaceId} on`);
    case 'suspended_workspace':
      return suspendedError(workspaceId);
    case 'inactive_domain':
    case 'unknown_domain':
    case 'foreign_from_email':
      return new OperationError(
        why('no_active_domain', { ...ID, email: fromEmail }),
        'kurir domain list shows the status of your domains.',
      );
    case 'no_coins':
      return new OperationError(why('no_coin'), `kurir coins top-up ${workspaceId} <coins>`);
    case 'suppressed':
      return new OperationError(why('suppressed', { ...ID, email: to ?? '' }), `kurir suppress check ${to} shows why.`);
    case 'unsubscribed':
      return new OperationError(why('unsubscribed', { ...ID, email: to ?? '' }), 'It cannot receive email.');
    default:
      return new OperationError(why('mail_refused', { because: reason }));
  }
}

/** Sends a message of a caller anew. */
export const sendMessageAgain = operation('message.send-again', 'developer', {
  irreversible: true,
  summary: 'send a message that has reached its final status again, as a new message',
  arguments: { id: findMessage },
  options: {
    reference: option('<text>', 'reference of this resend; the same reference is sent only once', text(100)),
    withoutAttachments: flag('send it even if the message had attachments; they are left out'),
  },
  examples: [
    ['message send-again 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 'costs one coin'],
    [
      'message send-again 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10 --reference ticket-118',
      'sent once, even if you run it again',
    ],
  ],
  notes:
    'Only for messages that you sent by API or SMTP. The usual checks apply: a recipient on a suppression list ' +
    'is rejected, with a penalty. Attachments are not sent again, because they are deleted once a message is final.',
  handler: async ({ id: message, reference = newReference(), withoutAttachments = false }, session) => {
    const { id, workspaceId } = message;
    refuseOthers(message, withoutAttachments);
    const mail = await keptMail(session, message);
    await session.note('message send-again', id, workspaceId);
    const sent = await repeatable(reference, sendAgain(session, mail, reference));
    if ('refused' in sent) throw refusalError(sent.refused, message);
    const { id: made, status, kind } = sent;
    return { message_id: made, workspace_id: workspaceId, of: id, status, made: kind === 'accepted', reference };
  },
  text: ({ message_id: id, made, reference }) =>
    made
      ? `Message ${id} is queued: kurir message show ${id}\n`
      : `Reference ${reference} was already sent as message ${id}; nothing was sent.\n`,
});
