import { registerWebhook, targetFaultMessage } from './register-webhook';
import { deleteWebhook } from './webhook-state';
import { webhookTargets } from './webhook-targets';
import { MAX_WEBHOOKS, WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import type { MessageEventName } from '../../domain/engagement/signal';
import { MAX_WEBHOOK_URL } from '../../schemas/webhooks/new-webhook';
import { knownPublicUrl } from '../installation/public-url';
import {
  argument,
  facts,
  needed,
  oneOf,
  operation,
  OperationError,
  type Read,
  type Session,
  text,
  webhook,
  workspace,
  why,
} from '../definition';

/** Reads names of events written `a,b`; each once. */
export const eventNames: Read<MessageEventName[]> = (raw) => [
  ...new Set(raw.split(',').map((name) => oneOf(...WEBHOOK_EVENTS)(name))),
];

/** The rule of the contract, as at registration by the API (docs/contract.md#webhook-url). */
async function checkUrl(session: Session, url: string): Promise<void> {
  const { config } = session;
  const target = await webhookTargets({ config, publicUrl: () => knownPublicUrl(session) }, { lookups: 1 }).find(url);
  if (target.ok) return;
  throw new OperationError(why('at', { label: '<url>', reason: targetFaultMessage(target.fault) }), 'Use another URL.');
}

const create = operation('webhook.create', 'developer', {
  summary: 'register a webhook and show its secret, which is shown only once',
  arguments: { workspace, url: argument('URL that events are posted to, with https', text(MAX_WEBHOOK_URL)) },
  options: { events: needed('<names>', `comma-separated, of ${WEBHOOK_EVENTS.join(', ')}`, eventNames) },
  examples: [['webhook create Melati https://toko.example/hook --events delivered,bounce', 'two of the six events']],
  notes: 'To change the secret, delete the webhook and register it again.',
  handler: async ({ workspace: { id }, url, events: eventTypes }, session) => {
    await checkUrl(session, url);
    const keyring = await session.keyring();
    await session.note('webhook create', `${new URL(url).host} (${eventTypes.join(', ')})`, id);
    const { webhooks } = session.stores;
    const made = await registerWebhook(
      { webhooks, keyring },
      { workspaceId: id, url, eventTypes },
      session.clock.now(),
    );
    if (!made) {
      throw new OperationError(why('webhook_limit', { most: MAX_WEBHOOKS }), 'Remove one with kurir webhook delete.');
    }
    return { ...facts(made.webhook, 'id', 'workspaceId', 'url', 'eventTypes', 'createdAt'), secret: made.secret };
  },
  details: {
    webhook: ({ id, workspace_id: of }) => `${id} of workspace ${of}`,
    url: 'url',
    events: (of) => of.event_types.join(', '),
    secret: 'secret',
  },
});

const remove = operation('webhook.delete', 'developer', {
  irreversible: true,
  summary: 'delete a webhook; pending deliveries are cancelled',
  arguments: { webhook },
  examples: [['webhook delete 4', 'its delivery log is deleted too']],
  handler: async ({ webhook: { id, url, workspaceId } }, { stores, note }) => {
    await note('webhook delete', `${id} ${new URL(url).host}`, workspaceId);
    await deleteWebhook(stores, { workspaceId, id });
    return { id, deleted: true };
  },
  text: ({ id }) => `Webhook ${id} was deleted\n`,
});

/** The operations that make and end webhooks. */
export const WEBHOOK_CHANGES = { create, delete: remove };
