import { describe, expect, it } from '@jest/globals';
import { MAX_WEBHOOKS, webhookSecretContext } from '../../domain/webhooks/webhook';
import { newDelivery } from '../../domain/webhooks/webhook-delivery';
import { TestOperator } from '../support/test-operator';

const URL = 'https://93.184.216.34/hook';
const operator = TestOperator.ofFile(['workspace', 'create', 'Melati']);

const create = (...more: string[]) => operator.ask('webhook', 'create', 'Melati', URL, ...more);
const refused = async (...argv: string[]): Promise<string> => {
  const { code, err } = await operator.run(['webhook', ...argv]);
  expect(code).not.toBe(0);
  return err;
};

describe('kurir webhook', () => {
  it('create shows the secret, which is stored sealed and in no trail; show does not', async () => {
    const { id, secret, event_types: events } = await create('--events', 'bounce,click,bounce');
    expect(events).toEqual(['bounce', 'click']);
    expect(secret).toMatch(/^\w{40}$/);
    const opened = await operator.withKeyring(async (keyring, { stores }) => {
      const webhook = (await stores.webhooks.get(Number(id)))!;
      return keyring.open(webhook.secretSealed, webhookSecretContext(webhook));
    });
    expect(opened).toBe(secret);
    const others = [await operator.ask('webhook', 'show', String(id)), await operator.ask('log')];
    expect(JSON.stringify(others)).not.toContain(secret);
  });

  it('create refuses what the API refuses', async () => {
    const events = ['--events', 'bounce'];
    expect(await refused('create', 'Melati', 'http://toko.example/hook', ...events)).toContain('begins with https://');
    expect(await refused('create', 'Melati', 'https://127.0.0.1/hook', ...events)).toContain('internal or private');
    expect(await refused('create', 'Melati', 'https://a:b@toko.example/', ...events)).toContain('user name');
    expect(await refused('create', 'Melati', URL, '--events', 'sold')).toContain('must be one of');
    expect(await refused('create', 'Melati', URL)).toContain('--events');
  });

  it('create makes at most ten, and delete makes room', async () => {
    const held = ((await operator.ask('webhook', 'list', 'Melati')).data as object[]).length;
    for (let n = held; n < MAX_WEBHOOKS; n += 1) await create('--events', 'open');
    expect(await refused('create', 'Melati', URL, '--events', 'open')).toContain('at most 10 webhooks');
    expect(await operator.ask('webhook', 'delete', '10')).toEqual({ id: 10, deleted: true });
    expect(await create('--events', 'open')).toMatchObject({ workspace_id: 1, url: URL });
  });

  it('deliveries come in pages; delivery is found under its own webhook only', async () => {
    const now = 1_780_000_000_000;
    const ids = await operator.withKeyring(async (_, { stores }) => {
      const made = [1, 2, 3].map((n) => {
        const facts = { workspaceId: 1, messageId: '00000000-0000-0000-0000-000000000000', link: null, reason: null };
        const event = { ...facts, id: `test_${n}`, event: 'webhook.test' as const, occurredAt: now + n };
        return newDelivery(event, { id: 1, enabledAt: now }, now);
      });
      await stores.deliveries.enqueue(made, 0, now);
      return made.map(({ id }) => id);
    });
    const listed = await operator.ask('webhook', 'deliveries', '1', '--limit', '2', '--page', '2');
    expect(listed).toMatchObject({ total: 3, page: 2, limit: 2, data: [{ id: ids[0] }] });
    const shown = await operator.ask('webhook', 'delivery', '1', ids[0]!);
    expect(shown).toMatchObject({ id: ids[0], attempts: [], payload: { event: 'webhook.test', to: null } });
    expect(await refused('delivery', '2', ids[0]!)).toContain('webhook 2 has no delivery');
  });
});
