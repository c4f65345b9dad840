import type { Webhook } from '../../domain/webhooks/webhook';
import { WEBHOOK_CHANGES } from './webhook-change';
import { WEBHOOK_DELIVERIES } from './webhook-deliveries';
import { disableWebhook, enableWebhook } from './webhook-state';
import { type Columns, facts, operation, optional, webhook, workspace } from '../definition';

const state = ({ isActive, failures }: Webhook): string => {
  if (!isActive) return 'inactive';
  return failures === 0 ? 'active' : `failing (${failures} in a row)`;
};

const present = (of: Webhook) => ({
  ...facts(of, 'id', 'workspaceId', 'url', 'eventTypes', 'isActive', 'createdAt', 'enabledAt', 'lastSuccessAt'),
  failures: of.failures,
});

const list = operation('webhook.list', 'developer', {
  summary: 'list webhooks, of a workspace or of all',
  arguments: { workspace: optional(workspace) },
  examples: [
    ['webhook list', 'of every workspace'],
    ['webhook list "Toko Melati" --json', 'as JSON'],
  ],
  handler: async (input, { stores }) => {
    const workspaces = input.workspace ? [input.workspace] : await stores.workspaces.list();
    const lists = workspaces.map(async ({ id, name }) =>
      (await stores.webhooks.list(id)).map((webhook) => ({ ...webhook, name })),
    );
    return { data: (await Promise.all(lists)).flat() };
  },
  json: ({ data }) => ({ data: data.map(present) }),
  columns: {
    id: 'id',
    workspace: 'name',
    url: { of: 'url', max: 80 },
    events: ({ eventTypes }) => eventTypes.join(', '),
    state,
    'last success': 'lastSuccessAt',
  },
  none: 'No webhooks.',
});

const DETAILS: Columns<Webhook> = {
  webhook: ({ id, workspaceId }) => `${id} of workspace ${workspaceId}`,
  url: 'url',
  events: ({ eventTypes }) => eventTypes.join(', '),
  state,
  created: 'createdAt',
  enabled: 'enabledAt',
  'last success': 'lastSuccessAt',
};
const SHOWN = { json: present, details: DETAILS };

const show = operation('webhook.show', 'developer', {
  summary: 'show a webhook: its state and its last success',
  arguments: { webhook },
  examples: [['webhook show 4', 'its secret is never shown']],
  handler: async (input) => input.webhook,
  ...SHOWN,
});

const traceOf = ({ id, url }: Webhook): string => `${id} ${new URL(url).host}`;

const enable = operation('webhook.enable', 'developer', {
  summary: 'activate a webhook: events from now on are sent to it',
  arguments: { webhook },
  examples: [['webhook enable 4', 'after its endpoint has been fixed']],
  handler: async ({ webhook: of }, { stores, clock, note }) => {
    await note('webhook enable', traceOf(of), of.workspaceId);
    return (await enableWebhook(stores, of.id, clock.now())) ?? of;
  },
  ...SHOWN,
});

const disable = operation('webhook.disable', 'developer', {
  irreversible: true,
  summary: 'deactivate a webhook; pending deliveries are cancelled',
  arguments: { webhook },
  examples: [['webhook disable 4', 'nothing is sent to it']],
  handler: async ({ webhook: of }, { stores, note }) => {
    await note('webhook disable', traceOf(of), of.workspaceId);
    await disableWebhook(stores, of.id);
    return (await stores.webhooks.get(of.id)) ?? of;
  },
  ...SHOWN,
});

export const WEBHOOK = { list, show, ...WEBHOOK_CHANGES, ...WEBHOOK_DELIVERIES, enable, disable };
