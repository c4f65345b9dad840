import { mailOf } from '../../../domain/settings/sending-domain';
import { toAttachment } from '../../../schemas/messages/attachment';
import { normalize } from '../../../schemas/rules/normalize';
import { givenFacts, messageShape, type MessageFields } from '../../../schemas/messages/send-message';
import type { AcceptDeps } from './accept-deps';
import type { PreparedMessage, SubmittedMessage } from './accept-request';
import { checkAddress } from './check-address';
import { checkFields } from './check-fields';
import { contentWarnings } from './content-warnings';
import { checkSender, type Sender } from './check-sender';
import { readContent, type MessageContent } from './read-content';
import type { Penalties } from './penalties';
import { Refusal, type Checked } from './refusal';

/**
 * Checks 1 to 3 of POST /messages; returns the first refusal, or the prepared message
 * (docs/contract.md#checks-in-order). Rejects when a store does.
 */
export async function checkSubmitted(
  { stores, keyring, clock }: Pick<AcceptDeps, 'stores' | 'keyring' | 'clock'>,
  submitted: SubmittedMessage,
  penalties: Penalties,
): Promise<Checked<PreparedMessage>> {
  const { id: workspaceId } = submitted.workspace;
  const fields = normalize(messageShape, submitted.fields, submitted.source);

  const malformed = checkAddress(fields['to'], { workspaceId, keyring, penalties });
  if (malformed) return malformed;

  const message = checkFields(fields, clock.now());
  if (message instanceof Refusal) return message;

  const content = await readContent(stores.templates, submitted, message);
  if (content instanceof Refusal) return content;

  const sender = await checkSender(stores.domains, workspaceId, message);
  return sender instanceof Refusal ? sender : toPrepared(submitted, message, sender, content);
}

function toPrepared(
  { workspace, channel, idempotencyKey }: SubmittedMessage,
  message: MessageFields,
  { domain, fromEmail }: Sender,
  { subject, body }: MessageContent,
): PreparedMessage {
  return {
    sender: { workspace, domain },
    draft: {
      channel,
      lane: 'transactional',
      ...mailOf(domain),
      ...givenFacts(message),
      subject,
      fromEmail,
    },
    recipient: { address: message.to },
    body,
    attachments: (message.attachments ?? []).map(toAttachment),
    idempotencyKey,
    // The relay answers with a line of SMTP: there is no place for them.
    ...(channel === 'api' && { warnings: contentWarnings({ domain, subject, body }) }),
  };
}
