import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { type BareServer, listenBare } from '../../../proof/bench/bare-server';
import { HttpConnection } from '../../../proof/bench/http-connection';
import { load } from '../../../proof/bench/load';
import { messageBody } from '../../../proof/bench/message-request';
import { SAMPLE } from '../../../proof/bench/sample-mail';
import { steadyLoad } from '../../../proof/bench/steady-load';

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
    const [first, second] = [messageBody(sender), messageBody(sender)].map(
      (body) => JSON.parse(body) as Record<string, unknown>,
    );
    expect(first).toMatchObject({ sending_domain_id: 7, ...SAMPLE });
    expect(first?.['to']).not.toBe(second?.['to']);
    expect(first).not.toHaveProperty('send_at');
    expect(JSON.parse(messageBody(sender, 'small', '2026-01-05T10:00:00Z'))).toMatchObject({
      send_at: '2026-01-05T10:00:00Z',
    });
  });

  test('the bare server validates as the service does: the sample passes, a fault does not', async () => {
    const body = JSON.parse(messageBody(sender)) as Record<string, unknown>;
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

  test('a load without a server counts every connection as refused', async () => {
    const nobody = await listenBare();
    nobody.close();
    const result = await load({ port: nobody.port, senders: [sender], connections: 3, until: { requests: 40 } });
    expect(result).toMatchObject({ accepted: 0, refused: 3 });
  });
});

describe('a connection of the load', () => {
  let raw: Server;
  let answer: readonly string[] | null;
  beforeAll(async () => {
    raw = createServer((socket) => {
      socket.setNoDelay(true);
      socket.on('data', () => {
        if (!answer) return socket.destroy();
        void answer.reduce(
          (before, part) =>
            before.then(() => void socket.write(part)).then(() => new Promise((go) => setTimeout(go, 5))),
          Promise.resolve<unknown>(undefined),
        );
      });
    }).listen(0, '127.0.0.1');
    await once(raw, 'listening');
  });
  afterAll(() => void raw.close());

  const statusOf = async (parts: readonly string[] | null): Promise<{ status: number; alive: boolean }> => {
    answer = parts;
    const connection = await HttpConnection.open((raw.address() as AddressInfo).port);
    const status = await connection?.send('GET / HTTP/1.1\r\n\r\n');
    const alive = connection?.alive ?? false;
    connection?.close();
    return { status: status ?? -1, alive };
  };

  test('waits for the end of an answer, wherever it is cut', async () => {
    const parts = ['HTTP/1.1 20', '1 Created\r\ncontent-', 'LENGTH:  5\r\n\r', '\nab', 'cde'];
    expect(await statusOf(parts)).toEqual({ status: 201, alive: true });
  });

  test('takes an answer whose length it is not told, and an end without one, for no answer', async () => {
    expect(await statusOf(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'])).toMatchObject({
      status: 0,
    });
    expect(await statusOf(null)).toEqual({ status: 0, alive: false });
  });
});
