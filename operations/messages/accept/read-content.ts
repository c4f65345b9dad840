import type { MessageBody } from '../../../domain/messages/message';
import type { MessageFields } from '../../../schemas/messages/send-message';
import { validationMessage } from '../../../schemas/rules/validation-messages';
import type { AcceptDeps } from './accept-deps';
import type { SubmittedMessage } from './accept-request';
import { Refusal, type Checked } from './refusal';
import { readVariables } from '../../templates/read-variables';

/** What a mail is composed from. */
export interface MessageContent {
  subject: string;
  body: MessageBody;
}

/**
 * The content of a submitted message: its own, or a copy of its template with the values of its variables
 * (docs/contract.md#template-variables). The end of check 2: refuses a template that the workspace does not have, and
 * variables that do not fit it. Rejects when the store does.
 */
export function readContent(
  templates: AcceptDeps['stores']['templates'],
  submitted: Pick<SubmittedMessage, 'workspace' | 'source'>,
  { template_id: id, variables = {}, subject = '', html = '', text }: MessageFields,
): Checked<MessageContent> | Promise<Checked<MessageContent>> {
  if (id === undefined) return { subject, body: { html, text: text ?? null } };
  return fillTemplate(templates, submitted, id, variables);
}

async function fillTemplate(
  templates: AcceptDeps['stores']['templates'],
  { workspace, source }: Pick<SubmittedMessage, 'workspace' | 'source'>,
  id: number,
  variables: NonNullable<MessageFields['variables']>,
): Promise<Checked<MessageContent>> {
  const template = id > 0 ? await templates.get(id) : null;
  if (template?.workspaceId !== workspace.id) {
    return Refusal.ofFields('invalid_fields', { template_id: [validationMessage('selected.invalid', 'template_id')] });
  }
  const read = readVariables(template.variables, variables, source);
  if ('errors' in read) return Refusal.ofFields('invalid_fields', read.errors);
  const body = { html: template.html, text: template.text, variables: read.values };
  return { subject: template.subject, body };
}
