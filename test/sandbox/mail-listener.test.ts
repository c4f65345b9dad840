import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox';
import { frozenClock } from '../support/clock';
import { temporaryDir } from './support';

let dir: ReturnType<typeof temporaryDir>;
let logged: string[];
const openSandbox = (port: number): Sandbox =>
  createSandbox({
    file: join(dir.path, 'sandbox.sqlite'),
    clock: frozenClock(),
    port,
    reports: () => ({ host: '127.0.0.1', port: 9 }),
    hostname: 'sandbox.kurir.test',
    logger: { info: (_facts, text) => logged.push(text), warn: (_facts, text) => logged.push(text) },
  });

beforeEach(() => {
  dir = temporaryDir();
  logged = [];
});
afterEach(() => dir.remove());

test('a port that is taken is told to the caller of listen, and to nobody else', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const sandbox = openSandbox((other.address() as AddressInfo).port);
  const failure = await sandbox.listen().catch((error: unknown) => error);
  await sandbox.close();
  other.close();
  expect(failure).toMatchObject({ code: 'EADDRINUSE' });
  expect(logged).toEqual([]);
});

test('a connection that breaks in the middle of a mail is logged, and ends nothing else', async () => {
  const sandbox = openSandbox(0);
  const { port } = await sandbox.listen();
  const broken = connect(port, '127.0.0.1');
  for (const line of ['EHLO client.test', 'MAIL FROM:<a@demo.kurir.test>', 'RCPT TO:<b@anywhere.example>']) {
    await once(broken, 'data');
    broken.write(`${line}\r\n`);
  }
  await once(broken, 'data');
  broken.resetAndDestroy();
  const next = connect(port, '127.0.0.1');
  await once(next, 'data');
  next.destroy();
  await sandbox.close();
  expect(logged).toEqual(['A connection to the sandbox failed.']);
});
