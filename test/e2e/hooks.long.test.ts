import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '../../lib/clock';
import { journeySecretContext } from '../../domain/journeys/journey';
import { eventually } from '../contract/helpers';
import { frozenClock, TEST_START } from '../support/clock';
import { describeOnEngines } from '../support/engines';
import { aJourney, anEnrollment } from '../support/marketing';
import { Running, type Answer } from '../support/running';

const ALL = ['delivered', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'];

interface Shown {
  data: {
    event: string;
    message_id: string;
    received_at: string;
    attempt: number;
    verified: boolean;
    webhook: number;
    payload: { to: string | null };
  }[];
  total: number;
}

const base = (running: Running): string => running.kurir.baseUrl.replace(/\/v1$/, '/sandbox/hooks');

const register = (running: Running, name: string, events = ALL): Promise<Answer> =>
  running.api.request('POST', '/webhooks', { url: `${base(running)}/${name}`, event_types: events });

async function shown(running: Running, name: string): Promise<Shown> {
  const response = await fetch(`${base(running)}/${name}`, { headers: { accept: 'application/json' } });
  return (await response.json()) as Shown;
}

describeOnEngines('The hooks of the sandbox', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  // spec: docs/contract.md#webhook-signature: the sandbox verifies both
  it('receive every event of a mail, each once and verified, and show them', async () => {
    const { status, body: webhook } = await register(running, 'shop');
    expect(status).toBe(201);
    const id = await running.send('complaint@pelanggan.test');
    await eventually(async () => {
      const { data } = await shown(running, 'shop');
      expect(data.map(({ event }) => event).sort()).toEqual(['complaint', 'delivered']);
    });
    for (const request of (await shown(running, 'shop')).data) {
      expect(request).toMatchObject({ message_id: id, attempt: 1, verified: true, webhook: webhook['id'] });
      expect(request.payload.to).toBe('complaint@pelanggan.test');
    }
    const page = await (await fetch(`${base(running)}/shop`)).text();
    expect(page).toContain(id);
    await eventually(async () => {
      const { body } = await running.api.get(`/webhooks/${String(webhook['id'])}/deliveries?state=delivered`);
      expect(body['total']).toBe(2);
    });
  });

  it('tell two webhooks with one URL apart, and refuse what none of them sent', async () => {
    const ids = [await register(running, 'both', ['bounce']), await register(running, 'both', ['bounce'])].map(
      ({ body }) => body['id'],
    );
    await running.send('hardbounce@pelanggan.test');
    await eventually(async () => {
      const { data } = await shown(running, 'both');
      expect(data.map(({ webhook, verified }) => [webhook, verified]).sort()).toEqual(ids.map((id) => [id, true]));
    });
    const forged = await fetch(`${base(running)}/both`, { method: 'POST', body: '{"event":"bounce"}' });
    expect(forged.status).toBe(401);
    expect(await forged.json()).toEqual({
      message: 'Not verified: X-Service-Signature is missing, webhook-signature is missing.',
    });
    expect((await fetch(`${base(running)}/none`, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

describeOnEngines('A webhook step of a journey', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  it('arrives at a hook of the sandbox, verified with the secret of its journey', async () => {
    const { clock, keyring } = running.kurir.services;
    const { journeys, journeyRuns } = running.stores;
    const at = clock.now();
    const secretSealed = keyring.seal('s'.repeat(40), journeySecretContext(1));
    const steps = [{ kind: 'webhook' as const, url: `${base(running)}/journey` }];
    const journey = await journeys.create(aJourney(1, { status: 'active', steps, secretSealed, createdAt: at }));
    const email = 'siti@pelanggan.test';
    const contact = { workspaceId: 1, email, emailHash: keyring.hashAddress(email), name: 'Siti', at };
    expect(await journeyRuns.enroll({ ...anEnrollment(journey, contact), at })).toEqual({ kind: 'enrolled' });
    await running.advance(2 * MINUTE);
    await eventually(async () => {
      const { data } = await shown(running, 'journey');
      expect(data).toMatchObject([
        { event: 'journey.webhook', verified: true, attempt: 1, webhook: `journey ${journey.id}` },
      ]);
    });
  });
});

describe('The hooks of the sandbox that fail on purpose', () => {
  const seconds = [0, 30, 90, 180, 300];

  // spec: docs/contract.md#webhook-delivery: by the receiver's clock; redirects are not followed
  it('are tried five times at the times of the contract; advance waits two seconds for each', async () => {
    const running = await Running.start({}, frozenClock());
    const names = ['500', 'redirect', 'hang', 'slow', 'shop'];
    const ids = new Map<string, unknown>();
    for (const name of names) ids.set(name, (await register(running, name, ['delivered'])).body['id']);
    await running.send('delivered@pelanggan.test');
    await running.advance(10 * MINUTE);
    const endOf = async (name: string) => {
      const { body } = await running.api.get(`/webhooks/${String(ids.get(name))}/deliveries`);
      const [delivery] = body['data'] as { state: string; attempts: { status: number | null; error: string }[] }[];
      return [delivery?.state, ...(delivery?.attempts ?? []).map(({ status, error }) => status ?? error)];
    };
    const late = 'There was no response within 2 seconds, and the clock was advanced.';
    expect(await endOf('500')).toEqual(['given_up', 500, 500, 500, 500, 500]);
    expect(await endOf('redirect')).toEqual(['given_up', 302, 302, 302, 302, 302]);
    expect(await endOf('hang')).toEqual(['given_up', late, late, late, late, late]);
    expect(await endOf('slow')).toEqual(['given_up', late, late, late, late, late]);
    expect(await endOf('shop')).toEqual(['delivered', 200]);
    for (const name of ['500', 'redirect', 'hang', 'slow']) {
      const { data } = await shown(running, name);
      const times = data.map(({ received_at: at }) => (Date.parse(at) - TEST_START) / SECOND);
      expect([name, times.reverse()]).toEqual([name, seconds]);
      expect(data.map(({ attempt, verified }) => [attempt, verified]).reverse()).toEqual(
        seconds.map((_, n) => [n + 1, true]),
      );
    }
    expect((await shown(running, 'redirected')).total).toBe(0);
    await running.stop();
  });

  it('do not hold up the end of the program: it stops while one hangs', async () => {
    const running = await Running.start();
    await register(running, 'hang', ['delivered']);
    await running.send('delivered@pelanggan.test');
    const byHand = fetch(`${base(running)}/hang`, { method: 'POST', body: '{}' }).catch(() => 'closed');
    await eventually(async () => expect((await shown(running, 'hang')).total).toBe(2));
    await running.stop();
    expect(await byHand).toBe('closed');
  });
});

describe('The first start', () => {
  // spec: docs/contract.md#webhook-url: the sandbox's own hooks
  it('prints a line that registers a hook, whose events then arrive', async () => {
    const running = await Running.start();
    const [mail = '', webhook = '', ...more] = running.kurir.firstSteps?.text.match(/^curl .*$/gm) ?? [];
    expect(more).toEqual([]);
    const registered = await promisify(execFile)('sh', ['-c', webhook]);
    expect(JSON.parse(registered.stdout)).toMatchObject({ url: `${base(running)}/shop`, event_types: ALL });
    await promisify(execFile)('sh', ['-c', mail]);
    await eventually(async () => {
      expect((await shown(running, 'shop')).data).toMatchObject([{ event: 'delivered', verified: true }]);
    });
    expect(running.demo.hooks_url).toBe(base(running));
    expect(running.kurir.firstSteps?.text).toContain(`See the events arrive: ${base(running)}`);
    await running.stop();
  });
});
