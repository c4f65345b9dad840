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
    const fix = 'Campaigns, journeys, confirmations and invitations decide themselves whom they write to, and when.';
    throw new OperationError(why('not_own', { ...ID, id }), fix);
  }
  if (!FINAL.includes(status)) {
    const fix = `kurir message show ${id} says what it waits for.`;
    throw new OperationError(why('on_its_way', { ...ID, id, status }), fix);
  }
  if (!withoutAttachments && (attachmentCount || failedReason === texts.attachmentsExpired)) {
    const count = attachmentCount ? ` (${attachmentCount})` : '';
    throw new OperationError(
      why('had_attachments', { ...ID, id, count }),
      'Send it from your program, with them, or with --without-attachments as it is.',
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
      return new OperationError(why('module_closed'), `kurir workspace module ${workspaceId} on opens it.`);
    case 'suspended_workspace':
      return suspendedError(workspaceId);
    case 'inactive_domain':
    case 'unknown_domain':
    case 'foreign_from_email':
      return new OperationError(
        why('no_active_domain', { ...ID, email: fromEmail }),
        'kurir domain list says how they are.',
      );
    case 'no_coins':
      return new OperationError(why('no_coin'), `kurir coins top-up ${workspaceId} <coins>`);
    case 'suppressed':
      return new OperationError(why('suppressed', { ...ID, email: to ?? '' }), `kurir suppress check ${to} says why.`);
    case 'unsubscribed':
      return new OperationError(why('unsubscribed', { ...ID, email: to ?? '' }), 'It gets no mail.');
    default:
      return new OperationError(why('mail_refused', { because: reason }));
  }
}

/** Sends a message of a caller anew. */
export const sendMessageAgain = operation('message.send-again', 'developer', {
  irreversible: true,
  summary: 'send the mail of a message that came to its end once more, as a new message',
  arguments: { id: findMessage },
  options: {
    reference: option('<text>', 'of this sending; the same one is sent only once', text(100)),
    withoutAttachments: flag('also when the message had attachments; they are not sent'),
  },
  examples: [
    ['message send-again 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 'it costs a coin as any mail does'],
    ['message send-again 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10 --reference ticket-118', 'once, however often it runs'],
  ],
  notes:
    'Only for what your programs sent by API or SMTP. The checks are those of any mail: a recipient on a suppression list ' +
    'is refused, with the penalty. Attachments are not sent again, since they are deleted when a message comes to its end.',
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
      ? `Message ${id} is on its way: kurir message show ${id}\n`
      : `Reference ${reference} was sent before, as message ${id}; nothing was sent.\n`,
});
