import { isKept, sentMail } from './sent-mail';
import { findMessage } from './message-find';
import { knownPublicUrl } from '../installation/public-url';
import { OperationError, operation, why } from '../definition';

/** The content of one message. */
export const mail = operation('message.mail', 'viewer', {
  summary: 'show the email of a message as the recipient got it: source, HTML, text, and which attachments are kept',
  arguments: { id: findMessage },
  examples: [['message mail 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 'its source, without signature and tracking']],
  notes: 'The email is composed again from stored data: without signature, tracking and attachments.',
  handler: async ({ id: { id, workspaceId, domainId } }, session) => {
    const { stores, clock } = session;
    const job = await stores.messages.job(id);
    const workspace = await stores.workspaces.get(workspaceId);
    const domain = await stores.domains.get(domainId);
    if (!job || !isKept(job) || !workspace) {
      throw new OperationError(why('mail_gone', { label: '<id>', id }), 'Its contact was deleted.');
    }
    const of = { workspace, domain: domain?.domain ?? '', publicUrl: knownPublicUrl(session) ?? '', now: clock.now() };
    return {
      message_id: id,
      workspace_id: workspaceId,
      subject: job.message.subject,
      ...(await sentMail(job, of)),
      attachments: job.attachments.map(({ filename, contentType, content }) => ({
        filename,
        type: contentType,
        size: content.length,
      })),
    };
  },
  text: ({ source }) => source,
});
