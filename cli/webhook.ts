import type { Command } from 'commander';
import type { Webhook } from '../domain/webhooks/webhook';
import type { Commands, Session, VerbSpec } from './support/command';
import { reference, whole, type Input } from './support/input';
import { findWebhook, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { table } from './support/table';
import { jsonTime, showTime } from './support/times';
import { WEBHOOK_DELIVERY_VERBS } from './webhook-deliveries';

const WEBHOOK = ['<webhook>', 'its id'] as const;
const readWebhook = (input: Input): number => input.arg('webhook', whole(1, Number.MAX_SAFE_INTEGER));

const state = ({ isActive, failures }: Webhook): string => {
  if (!isActive) return 'inactive';
  return failures === 0 ? 'active' : `failing (${failures} in a row)`;
};

const present = (webhook: Webhook) => ({
  id: webhook.id,
  workspace_id: webhook.workspaceId,
  url: webhook.url,
  event_types: webhook.eventTypes,
  is_active: webhook.isActive,
  created_at: jsonTime(webhook.createdAt),
  enabled_at: jsonTime(webhook.enabledAt),
  last_success_at: jsonTime(webhook.lastSuccessAt),
  failures: webhook.failures,
});

const list: VerbSpec = {
  name: 'list',
  summary: 'webhooks of a workspace, or of all',
  args: [['[workspace]', 'id or name']],
  examples: [
    ['webhook list', 'of every workspace'],
    ['webhook list "Toko Melati" --json', 'as JSON'],
  ],
  run: (input) => {
    const ref = input.optionalArg('workspace', reference);
    return async ({ stores, paint }) => {
      const workspaces =
        ref === undefined ? await stores.workspaces.list() : [await findWorkspace(stores, ref, '[workspace]')];
      const webhooks = (await Promise.all(workspaces.map(({ id }) => stores.webhooks.list(id)))).flat();
      const names = new Map(workspaces.map(({ id, name }) => [id, name]));
      return {
        text: table(
          paint,
          [
            { title: 'id' },
            { title: 'workspace' },
            { title: 'url', max: 80 },
            { title: 'events' },
            { title: 'state' },
            { title: 'last success' },
          ],
          webhooks.map((webhook) => [
            webhook.id,
            names.get(webhook.workspaceId) ?? null,
            webhook.url,
            webhook.eventTypes.join(', '),
            state(webhook),
            showTime(webhook.lastSuccessAt),
          ]),
          'No webhooks.',
        ),
        json: { data: webhooks.map(present) },
      };
    };
  },
};

function answerWebhook(webhook: Webhook): Answer {
  const lines = [
    `webhook       ${webhook.id} of workspace ${webhook.workspaceId}`,
    `url           ${webhook.url}`,
    `events        ${webhook.eventTypes.join(', ')}`,
    `state         ${state(webhook)}`,
    `created       ${showTime(webhook.createdAt) ?? '-'}`,
    `enabled       ${showTime(webhook.enabledAt) ?? '-'}`,
    `last success  ${showTime(webhook.lastSuccessAt) ?? '-'}`,
  ];
  return { text: `${lines.join('\n')}\n`, json: present(webhook) };
}

const show: VerbSpec = {
  name: 'show',
  summary: 'one webhook: its state and its last success',
  args: [WEBHOOK],
  examples: [['webhook show 4', 'its secret is shown nowhere']],
  run: (input) => {
    const id = readWebhook(input);
    return async ({ stores }) => answerWebhook(await findWebhook(stores, id));
  },
};

function switching(name: 'enable' | 'disable', spec: Pick<VerbSpec, 'summary' | 'examples'>): VerbSpec {
  return {
    name,
    ...spec,
    args: [WEBHOOK],
    run: (input) => {
      const id = readWebhook(input);
      return async (session) => {
        const { workspaceId, url } = await findWebhook(session.stores, id);
        await session.note(`webhook ${name}`, `${id} ${new URL(url).host}`, workspaceId);
        await (name === 'enable' ? enableNow(session, id) : disableNow(session, id));
        return answerWebhook(await findWebhook(session.stores, id));
      };
    },
  };
}

const enableNow = ({ stores, clock }: Session, id: number): Promise<boolean> => stores.webhooks.enable(id, clock.now());

async function disableNow({ stores }: Session, id: number): Promise<void> {
  await stores.webhooks.disable(id);
  await stores.deliveries.cancelWaiting(id);
}

const enable = switching('enable', {
  summary: 'set a webhook active: events from now on are sent to it',
  examples: [['webhook enable 4', 'after its endpoint was repaired']],
});

const disable = switching('disable', {
  summary: 'set a webhook inactive; what waits for it is cancelled',
  examples: [['webhook disable 4', 'nothing more is sent to it']],
});

/** The `kurir webhook` commands. */
export const webhookCommand = (commands: Commands): Command =>
  commands.group('webhook', 'webhooks: what is sent to whom, and what became of it', [
    list,
    show,
    ...WEBHOOK_DELIVERY_VERBS,
    enable,
    disable,
  ]);
