import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebhookSender } from '../../operations/webhooks/client/sender';
import { signedHeaders } from '../../operations/webhooks/client/sign';
import type { WebhookSender } from '../../operations/webhooks/client/webhook-sender';
import { targetsOf } from '../operations/webhooks/client/endpoint';
import { codeBlocks, readDocument } from './markdown';
import { giveUpAt } from '../support/limits';

const SECRET = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5lM7n';
const [receiver = '', library = ''] = codeBlocks(readDocument('docs/webhooks.md'), 'js');
const body = Buffer.from('{"event":"open","to":"siti@contoh.test","metadata":{"nama":"é 🌧"}}');

const dir = mkdtempSync(join(tmpdir(), 'kurir-receiver-'));
let port: number;
let program: ChildProcess;
let printed = '';
let sender: WebhookSender;
beforeAll(async () => {
  port = await freePort();
  writeFileSync(join(dir, 'receiver.mjs'), receiver);
  program = spawn(process.execPath, [join(dir, 'receiver.mjs')], {
    env: { WEBHOOK_SECRET: SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
  await untilListening();
  sender = createWebhookSender({ targets: targetsOf({ privateHosts: ['localhost'] }) });
});
afterAll(async () => {
  await sender.close();
  const ended = once(program, 'exit');
  program.kill();
  await ended;
  rmSync(dir, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

async function untilListening(): Promise<void> {
  for (const end = giveUpAt(); performance.now() < end;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the receiver did not start: ${printed}`);
}

/** The status that the receiver answers, with the changes of a test to what was signed. */
async function statusOf(change: { headers?: Record<string, string>; body?: Buffer; at?: number; secret?: string }) {
  const { at = Date.now(), secret = SECRET } = change;
  const headers = { ...signedHeaders({ secret, id: 'evt-1', at, body }), ...change.headers };
  const { status } = await sender.send({ url: `http://localhost:${port}/in`, headers, body: change.body ?? body });
  return status;
}

describe('the receiver of docs/webhooks.md', () => {
  test('has twenty lines of plain Node', () => {
    const lines = receiver.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(20);
    expect([...receiver.matchAll(/from '([^']+)'/g)].map(([, name]) => name)).toEqual(['node:crypto', 'node:http']);
  });

  test('takes what Kurir sends', async () => {
    expect(await statusOf({})).toBe(204);
    expect(printed).toContain('evt-1');
    expect(printed).toContain('siti@contoh.test');
  });

  test.each([
    ['other bytes', { body: Buffer.from(`${body.toString()} `) }],
    ['another id', { headers: { 'webhook-id': 'evt-2' } }],
    ['another time', { headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 60) } }],
    ['no time', { headers: { 'webhook-timestamp': '' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['a signature of no ASCII', { headers: { 'webhook-signature': `v1,${'é'.repeat(44)}` } }],
    ['the signature of another secret', { secret: 'x'.repeat(40) }],
    ['a replay after five minutes', { at: Date.now() - 310_000 }],
  ])('401: %s', async (_, change) => {
    expect(await statusOf(change)).toBe(401);
  });

  test('goes on after all that', async () => expect(await statusOf({})).toBe(204));

  test('with a library of Standard Webhooks it is one line', () => {
    expect(library).toContain("new Webhook(secret, { format: 'raw' }).verify(body, headers)");
  });
});
