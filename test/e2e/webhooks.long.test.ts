import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { freePorts } from '../../proof/crash/free-ports';
import type { Installation } from '../../proof/crash/installation';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { Caller } from '../support/running';
import { readDemo, Service } from '../support/service';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  payload: Record<string, unknown>;
}

/** Endpoints on loopback: `/ok` answers 204, `/500` answers 500, `/hang` never answers. */
class Receiver {
  readonly received: Received[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const body = Buffer.concat(chunks);
        const path = req.url ?? '';
        const payload = JSON.parse(body.toString()) as Record<string, unknown>;
        this.received.push({ path, headers: req.headers, body, payload });
        if (path !== '/hang') res.writeHead(path === '/500' ? 500 : 204).end();
      });
    });
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const ALL = ['delivered', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'];

describeOnEngines('Webhooks of a running service', (install) => {
  let installation: Installation;
  let service: Service | null = null;
  let receiver: Receiver;
  let env: Record<string, string>;
  let api: Caller;
  let domainId: number;

  beforeAll(async () => {
    installation = install();
    receiver = new Receiver();
    await receiver.listen();
    const [http = '', bounce = '', sandbox = ''] = (await freePorts(3)).map(String);
    env = {
      KURIR_HTTP_PORT: http,
      KURIR_BOUNCE_PORT: bounce,
      KURIR_SANDBOX_PORT: sandbox,
      KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      KURIR_EVIDENCE_WAIT: '6s',
    };
    service = await Service.start(installation, env);
    const demo = await readDemo(service, installation);
    api = new Caller(demo.base_url, demo.api_key);
    domainId = demo.sending_domain_id;
  });
  afterAll(async () => {
    await service?.kill();
    await receiver.close();
    await installation.remove();
  });

  const register = async (path: string, eventTypes = ALL): Promise<{ id: number; secret: string }> => {
    const { body } = await api.request('POST', '/webhooks', { url: receiver.url(path), event_types: eventTypes });
    return body as unknown as { id: number; secret: string };
  };

  // spec: docs/contract.md#events: every event of the sandbox reaches a webhook
  // spec: docs/contract.md#webhook-signature: X-Service-Signature and Standard Webhooks
  it('tell of every event of the sandbox, signed for both kinds of receivers', async () => {
    const { id, secret } = await register('/ok');
    const metadata = { order: 'INV-1' };
    const html = '<p>Halo <a href="https://toko.example/?a=1&amp;b=2">toko</a></p>';
    const [delivered = '', bounced = '', complained = ''] = await Promise.all(
      ['delivered', 'hardbounce', 'complaint'].map((name) =>
        api.send(`${name}@pelanggan.test`, domainId, { html, metadata }),
      ),
    );
    await eventually(async () => {
      expect(kinds(receiver.at('/ok'))).toEqual(
        [
          [delivered, 'delivered'],
          [bounced, 'bounce'],
          [complained, 'complaint'],
          [complained, 'delivered'],
        ].sort(),
      );
    });
    const bounce = receiver.at('/ok').find(({ payload }) => payload['event'] === 'bounce');
    expect(bounce?.payload).toMatchObject({
      to: 'hardbounce@pelanggan.test',
      channel: 'api',
      campaign_id: null,
      metadata,
      reason: expect.stringContaining('5.1.1'),
    });
    for (const { headers, body } of receiver.at('/ok')) {
      expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
      const verify = new Webhook(secret, { format: 'raw' });
      expect(() => verify.verify(body.toString(), headers as Record<string, string>)).not.toThrow();
    }
    await api.request('DELETE', `/webhooks/${id}`);
  });

  // spec: docs/contract.md#webhook-delivery: at least once
  it('arrive at least once through kill -9, whatever one endpoint does, and each under one id', async () => {
    const good = await register('/ok', ['delivered']);
    await register('/hang', ['delivered']);
    const bad = await register('/500', ['delivered']);
    receiver.received.length = 0;
    const ids: string[] = [];
    for (let life = 0; life < 3; life += 1) {
      const sent = Array.from({ length: 20 }, (_, n) => api.send(`delivered+${life}-${n}@pelanggan.test`, domainId));
      ids.push(...(await Promise.all(sent)));
      await new Promise((resolve) => setTimeout(resolve, 100 + 150 * life));
      await service?.kill();
      service = await Service.start(installation, env);
    }
    // A hand-off that a kill left without evidence ends as failed, without an event; late evidence may still move it.
    const deliveredNow = async (): Promise<string[]> => {
      const { body } = await api.get(`/messages?ids=${ids.join(',')}`);
      const messages = body['data'] as { message_id: string; status: string }[];
      expect(messages.filter(({ status }) => !['delivered', 'failed'].includes(status))).toEqual([]);
      return messages.filter(({ status }) => status === 'delivered').map(({ message_id: id }) => id);
    };
    await eventually(async () => {
      const announced = new Set(receiver.at('/ok').map(({ payload }) => payload['message_id']));
      const delivered = await deliveredNow();
      expect(delivered.length).toBeGreaterThan(ids.length / 2);
      expect(delivered.filter((id) => !announced.has(id))).toEqual([]);
    });
    for (const path of ['/ok', '/500', '/hang']) {
      const byMessage = new Map<unknown, Set<unknown>>();
      for (const { payload, headers } of receiver.at(path)) {
        const seen = byMessage.get(payload['message_id']) ?? new Set();
        byMessage.set(payload['message_id'], seen.add(headers['webhook-id']));
      }
      expect([...byMessage.values()].filter(({ size }) => size !== 1)).toEqual([]);
    }
    await eventually(async () => {
      const { body } = await api.get(`/webhooks/${good.id}/deliveries?state=delivered`);
      expect(body['total']).toBe((await deliveredNow()).length);
    });
    const { body } = await api.get(`/webhooks/${bad.id}/deliveries`);
    const data = body['data'] as { state: string; attempts: { status: number | null }[] }[];
    expect(data.every(({ attempts }) => attempts.length <= 5)).toBe(true);
  });
});

const kinds = (received: readonly Received[]): unknown[] =>
  received.map(({ payload }) => [payload['message_id'], payload['event']]).sort();
