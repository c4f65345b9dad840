import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BareServer, listenBare } from '../../bench/bare-server';
import { load, messageRequest } from '../../bench/load';
import { SAMPLE } from '../../bench/sample-mail';
import { steadyLoad } from '../../bench/steady-load';

const sender = { apiKey: 'kurir_sk_x', domainId: 7 };
let server: BareServer;
beforeAll(async () => {
  server = await listenBare();
});
afterAll(() => server.close());

async function post(body: unknown): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return response.status;
}

describe('the load of the benches', () => {
  test('posts the sample: 2,048 bytes of html, to another recipient each time', () => {
    expect(Buffer.byteLength(SAMPLE.html)).toBe(2_048);
    const [first, second] = [messageRequest(sender), messageRequest(sender)].map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    );
    expect(first).toMatchObject({ sending_domain_id: 7, ...SAMPLE });
    expect(first?.['to']).not.toBe(second?.['to']);
  });

  test('the bare server validates as the service does: the sample passes, a fault does not', async () => {
    const body = JSON.parse(messageRequest(sender).body) as Record<string, unknown>;
    expect(await post(body)).toBe(201);
    expect(await post({ ...body, to: 'nobody' })).toBe(422);
    expect(await post({ ...body, sending_domain_id: undefined })).toBe(422);
    expect(await post({ ...body, metadata: { nested: {} } })).toBe(422);
  });

  test('a counted load makes that many requests, and each is accepted', async () => {
    const result = await load({
      port: server.port,
      senders: [sender, sender],
      connections: 4,
      until: { requests: 40 },
    });
    expect(result).toMatchObject({ accepted: 40, refused: 0 });
  });

  test('a steady load starts as many requests as its rate says, and tells those that were refused', async () => {
    const options = { port: server.port, senders: [sender], rate: 100, seconds: 0.2 };
    expect(await steadyLoad(options)).toMatchObject({ accepted: 20, refused: 0 });
    const wrong = { ...sender, domainId: Number.NaN };
    expect(await steadyLoad({ ...options, senders: [wrong] })).toMatchObject({ accepted: 0, refused: 20 });
  });
});
