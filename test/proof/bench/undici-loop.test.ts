import { afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { postByUndici } from '../../../proof/bench/undici-loop';

const SECRET = 'a'.repeat(40);
const BODY = '{"event":"open"}';
let server: Server | null = null;

afterEach(() => void server?.close());

/** What an endpoint gets of six posts over two connections. */
async function posted(secret: string | null): Promise<{ headers: IncomingHttpHeaders; body: string }[]> {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    req.on('end', () => {
      got.push({ headers: req.headers, body });
      res.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await postByUndici({ ports: [port], connections: 2, requests: 6, body: BODY, secret });
  return got;
}

it('posts the body bare', async () => {
  const got = await posted(null);
  expect(got.map(({ body }) => body)).toEqual(Array(6).fill(BODY));
  expect(got.map(({ headers }) => headers['webhook-signature'])).toEqual(Array(6).fill(undefined));
});

it('signs each post under an id of its own when it has a secret', async () => {
  const got = await posted(SECRET);
  const verifier = new Webhook(SECRET, { format: 'raw' });
  for (const { headers, body } of got) verifier.verify(body, headers as Record<string, string>);
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(6);
});
