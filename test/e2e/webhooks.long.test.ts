import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { Caller } from '../support/running';
import { readDemo, Service } from '../support/service';

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
  payload: Record<string, unknown>;
}

const ALL = ['delivered', 'bounce', 'complaint', 'open', 'click', 'unsubscribe'];

describeOnEngines('Webhooks of a running service', (install) => {
  const installation = install();
  const received: Received[] = [];
  const receiver = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      received.push({ headers: req.headers, body, payload: JSON.parse(body.toString()) as Record<string, unknown> });
      res.writeHead(204).end();
    });
  });
  let service: Service | null = null;
  let api: Caller;
  let domainId: number;

  beforeAll(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    service = await Service.start(installation, { KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' });
    const demo = await readDemo(service, installation);
    api = new Caller(service.baseUrl, demo.api_key);
    domainId = demo.sending_domain_id;
  });
  afterAll(async () => {
    await service?.kill();
    receiver.close().closeAllConnections();
    await installation.remove();
  });

  // spec: docs/contract.md#events: every event of the sandbox reaches a webhook
  // spec: docs/contract.md#webhook-signature: X-Service-Signature and Standard Webhooks
  it('tell of every event of the sandbox, signed for both kinds of receivers', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const { secret } = (await api.request('POST', '/webhooks', { url, event_types: ALL })).body;
    const metadata = { order: 'INV-1' };
    const html = '<p>Halo <a href="https://toko.example/?a=1&amp;b=2">toko</a></p>';
    const [delivered = '', bounced = '', complained = ''] = await Promise.all(
      ['delivered', 'hardbounce', 'complaint'].map((name) =>
        api.send(`${name}@pelanggan.test`, domainId, { html, metadata }),
      ),
    );
    await eventually(async () => {
      expect(kinds(received)).toEqual(
        [
          [delivered, 'delivered'],
          [bounced, 'bounce'],
          [complained, 'complaint'],
          [complained, 'delivered'],
        ].sort(),
      );
    });
    const bounce = received.find(({ payload }) => payload['event'] === 'bounce');
    expect(bounce?.payload).toMatchObject({
      to: 'hardbounce@pelanggan.test',
      channel: 'api',
      campaign_id: null,
      metadata,
      reason: expect.stringContaining('5.1.1'),
    });
    for (const { headers, body } of received) {
      expect(headers['x-service-signature']).toBe(createHmac('sha256', String(secret)).update(body).digest('hex'));
      const verify = new Webhook(String(secret), { format: 'raw' });
      expect(() => verify.verify(body.toString(), headers as Record<string, string>)).not.toThrow();
    }
  });
});

const kinds = (received: readonly Received[]): unknown[] =>
  received.map(({ payload }) => [payload['message_id'], payload['event']]).sort();
