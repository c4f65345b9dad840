import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { frozenClock } from '../support/clock';
import { TestOperator } from '../support/test-operator';
import { Running } from '../support/running';

describe('kurir demo', () => {
  let operator: TestOperator;
  beforeEach(async () => {
    operator = await TestOperator.open({ env: { KURIR_HTTP_PORT: '8080' } });
  });
  afterEach(() => operator.remove());

  it('makes the demo workspace where there is none, and answers the same from then on', async () => {
    const first = await operator.ask('demo');
    expect(first).toMatchObject({
      base_url: 'http://127.0.0.1:8080/v1',
      api_key: expect.stringMatching(/^kurir_sk_\w{32}$/) as unknown,
      inbox_url: 'http://127.0.0.1:8080/sandbox/inbox',
    });
    expect(await operator.ask('demo')).toEqual(first);
    expect(await operator.ask('workspace', 'show', 'Demo')).toMatchObject({ coins: 100_000, premium: true });
    const { data } = (await operator.ask('domain', 'list')) as { data: object[] };
    expect(data).toMatchObject([
      { id: first.sending_domain_id, domain: 'demo.kurir.test', status: 'active', category: 'marketing' },
      { id: first.transactional_domain_id, domain: 'notify.kurir.test', status: 'active', category: 'transactional' },
    ]);
  });

  it('shows people the first calls as the first start does, ready to paste', async () => {
    const { api_key: key } = await operator.ask('demo');
    const { out } = await operator.run(['demo']);
    expect(out).toContain(`curl -sS http://127.0.0.1:8080/v1/messages -H 'Authorization: Bearer ${String(key)}'`);
    expect(out).toContain('--mail-rcpt delivered@example.test');
    expect(out).toContain('See it arrive: http://127.0.0.1:8080/sandbox/inbox');
  });

  it('makes one, by several at once', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => operator.ask('demo')));
    for (const run of runs) expect(run).toEqual(runs[0]);
    expect(((await operator.ask('workspace', 'list')).data as unknown[]).length).toBe(1);
    expect(((await operator.ask('key', 'list', 'Demo')).data as unknown[]).length).toBe(1);
  });

  it('leaves other workspaces alone, also one that an operator called Demo', async () => {
    await operator.ask('workspace', 'create', 'Toko');
    await operator.ask('workspace', 'create', 'Demo');
    await operator.ask('demo');
    const { data } = (await operator.ask('domain', 'list')) as { data: object[] };
    expect(data).toMatchObject([
      { domain: 'demo.kurir.test', workspace_id: 3 },
      { domain: 'notify.kurir.test', workspace_id: 3 },
    ]);
    expect((await operator.ask('coins', 'balance', '1')).balance).toBe(0);
  });

  it('gives a new key when the one there was is revoked; the view is logged', async () => {
    const first = await operator.ask('demo');
    await operator.ask('key', 'revoke', 'Demo');
    expect((await operator.ask('demo')).api_key).not.toBe(first.api_key);
    expect((await operator.run(['log', '--limit', '1'])).out).toContain('siti@server  demo');
  });

  it('with ports chosen by the system it needs the service to run', async () => {
    const unknown = await TestOperator.open({ dataDir: operator.dataDir });
    const said = await unknown.run(['demo']);
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('KURIR_HTTP_PORT is 0') as unknown });
  });
});

describe('kurir demo and sandbox inbox, beside the running service', () => {
  it('demo answers what first-run.json holds; inbox shows what the sandbox received', async () => {
    const clock = frozenClock();
    const running = await Running.start({}, clock);
    const operator = await TestOperator.open({ dataDir: running.dataDir, clock });
    expect(await operator.ask('demo')).toEqual(running.demo);
    expect((await operator.run(['sandbox', 'inbox'])).out).toBe('No messages in the sandbox yet.\n');
    for (const to of ['delivered@example.test', 'hardbounce@example.test']) {
      const id = await running.send(to, { subject: 'Halo', html: '<p>Baris satu</p><p>Baris \u{1F33C} dua</p>' });
      await running.until(id, 'its end', ({ status }) => status === 'delivered' || status === 'bounced');
    }
    const { data, total } = (await operator.ask('sandbox', 'inbox')) as {
      data: { id: number; to: string }[];
      total: number;
    };
    expect({ total, to: data.map(({ to }) => to) }).toEqual({
      total: 2,
      to: ['hardbounce@example.test', 'delivered@example.test'],
    });
    expect(await operator.ask('sandbox', 'inbox', '--limit', '1')).toMatchObject({ data: [{ id: 2 }], next_before: 2 });
    expect(await operator.ask('sandbox', 'inbox', '--before', '2')).toMatchObject({
      data: [{ id: 1 }],
      next_before: null,
    });
    const { out } = await operator.run(['sandbox', 'inbox', '1']);
    expect(out).toContain('to           delivered@example.test\n');
    expect(out).toMatch(/Baris satu\n+Baris \u{1F33C} dua/u);
    expect((await operator.ask('sandbox', 'inbox', '1')).html).toContain('Baris satu');
    await running.rest();
    expect((await operator.ask('sandbox', 'inbox')).total).toBe(2);
    operator.remove();
  });

  it('inbox says what is not there, and usage errors', async () => {
    const operator = await TestOperator.open();
    const said = await operator.run(['sandbox', 'inbox']);
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('There is no sandbox in') as unknown });
    for (const argv of [['x'], ['--limit', '501'], ['--before', '0']]) {
      expect((await operator.run(['sandbox', 'inbox', ...argv])).code).toBe(2);
    }
    operator.remove();
  });
});
