import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecure } from 'node:tls';
import { once } from 'node:events';
import type { SenderOptions } from '../../../../operations/webhooks/client/sender';
import type { WebhookAnswer, WebhookSender } from '../../../../operations/webhooks/client/webhook-sender';
import { AUTHORITY, GOOD, type Certificate } from './certificates';
import { post, senderTo, until } from './endpoint';

const CLOSED = 'The endpoint closed the connection before it responded.';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A server that counts whole requests, and is told what to do with each: the number on its connection, from 1. */
class Hostile {
  requests = 0;
  readonly sockets: Socket[] = [];

  private constructor(readonly server: Server) {}

  static async start(
    react: (socket: Socket, number: number) => void,
    { tls, wholeBody = true }: { tls?: Certificate; wholeBody?: boolean } = {},
  ): Promise<Hostile> {
    const serve = (socket: Socket): void => {
      hostile.sockets.push(socket);
      socket.on('error', () => undefined);
      let text = '';
      let number = 0;
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        for (;;) {
          const head = text.indexOf('\r\n\r\n');
          if (head === -1) return;
          const length = wholeBody ? Number(/content-length: (\d+)/i.exec(text)?.[1]) : 0;
          if (text.length < head + 4 + length) return;
          text = wholeBody ? text.slice(head + 4 + length) : '';
          hostile.requests += 1;
          number += 1;
          react(socket, number);
        }
      });
    };
    const hostile: Hostile = new Hostile(tls ? createSecure(tls, serve) : createServer(serve));
    hostile.server.listen(0, '127.0.0.1');
    await once(hostile.server, 'listening');
    return hostile;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.stop();
});

async function hostileThat(...args: Parameters<typeof Hostile.start>): Promise<Hostile> {
  const hostile = await Hostile.start(...args);
  open.push(hostile);
  return hostile;
}

function sender(change: Partial<SenderOptions> = {}): WebhookSender {
  const made = senderTo(change);
  open.push({ stop: () => made.close() });
  return made;
}

async function attempts(one: WebhookSender, url: string, number: number, body?: string): Promise<WebhookAnswer[]> {
  const answers: WebhookAnswer[] = [];
  for (let i = 0; i < number; i++) answers.push(await one.send(post(url, body)));
  return answers;
}

const urlOf = ({ port }: Hostile, scheme = 'http'): string => `${scheme}://hooks.contoh.test:${port}/`;
const WAYS = {
  ends: (socket: Socket) => void socket.end(),
  destroys: (socket: Socket) => void socket.destroy(),
  resets: (socket: Socket) => void socket.resetAndDestroy(),
} as const;

describe('an attempt is one request', () => {
  // spec: docs/contract.md#webhook-delivery: an attempt is one request
  test.each(Object.entries(WAYS))(
    'an endpoint that reads all of it on a connection used before, then %s it, sees one request an attempt',
    async (_way, close) => {
      const hostile = await hostileThat((socket, number) => (number === 1 ? void socket.write(OK) : close(socket)));
      const answers = await attempts(sender(), urlOf(hostile), 10);
      expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 ? CLOSED : null)));
      expect(hostile.requests).toBe(10);
    },
  );

  test('over TLS as well', async () => {
    const hostile = await hostileThat((socket, number) => void (number === 1 ? socket.write(OK) : socket.destroy()), {
      tls: GOOD,
    });
    const answers = await attempts(sender({ ca: AUTHORITY }), urlOf(hostile, 'https'), 10);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
    expect(hostile.requests).toBe(10);
  });

  test('one that closes after the head alone, with most of a large body to come, sees one request an attempt', async () => {
    const hostile = await hostileThat((socket, number) => void (number === 1 ? socket.write(OK) : socket.destroy()), {
      wholeBody: false,
    });
    const one = sender();
    await attempts(one, urlOf(hostile), 1, '{}');
    const [answer] = await attempts(one, urlOf(hostile), 1, 'x'.repeat(20_000_000));
    expect(answer).toMatchObject({ ok: false, status: null });
    expect(hostile.requests).toBe(2);
    expect(hostile.sockets).toHaveLength(1);
  });

  test('one that closes the connection just as the next request leaves gets it once at most', async () => {
    const hostile = await hostileThat((socket) => void socket.write(OK));
    const one = sender();
    let answered = 0;
    for (let i = 0; i < 40; i++) {
      const { ok, error } = await one.send(post(urlOf(hostile)));
      if (ok) answered += 1;
      else expect(error).toBe(CLOSED);
      // Its end is on the way, and the sender has not seen it.
      if (i % 3 === 0) hostile.sockets.at(-1)!.end();
      else if (i % 3 === 1) hostile.sockets.at(-1)!.resetAndDestroy();
    }
    expect(hostile.requests).toBeLessThanOrEqual(40);
    expect(hostile.requests).toBeGreaterThanOrEqual(answered);
  });

  test('many at once, a third of them closed without an answer, make one request an attempt', async () => {
    let seen = 0;
    const hostile = await hostileThat((socket) => {
      seen += 1;
      if (seen % 3 > 0) socket.write(OK);
      else socket.destroy();
    });
    const one = sender();
    await Promise.all(Array.from({ length: 8 }, () => attempts(one, urlOf(hostile), 25)));
    expect(hostile.requests).toBe(200);
  });

  test('a connection whose end was seen is not used: the request goes over a new one', async () => {
    const hostile = await hostileThat((socket) => void socket.write(OK));
    const one = sender();
    for (let i = 0; i < 6; i++) {
      expect(await one.send(post(urlOf(hostile)))).toMatchObject({ ok: true });
      const socket = hostile.sockets.at(-1)!;
      if (i % 2) socket.end();
      else socket.resetAndDestroy();
      await until(() => socket.closed);
      await new Promise(setImmediate);
    }
    expect([hostile.requests, hostile.sockets.length]).toEqual([6, 6]);
  });
});
