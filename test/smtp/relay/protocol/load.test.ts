import { afterEach, expect, it } from '@jest/globals';
import { EVERYTHING } from '../../../support/everything';
import { crlf } from './converse';
import { TestRelay } from './relay';

const MANY = { inAll: 2_000, perAddress: 2_000 };
const IDLE = EVERYTHING ? 1_000 : 200;
const LARGE = EVERYTHING ? 20 : 6;
const MB = 1024 * 1024;

let relay: TestRelay;
afterEach(() => relay.remove());

// spec: docs/contract.md#relay-limits: memory
it('1,000 idle connections are greeted, take little memory, and hold up no mail', async () => {
  relay = await TestRelay.start({}, { connections: MANY });
  const before = process.memoryUsage().rss;
  const clients = [];
  for (let i = 0; i < IDLE; i += 1) clients.push(await relay.client());
  for (const client of clients) expect(await client.reply()).toBe('220 relay.test ESMTP');
  // With the clients, which are in this process too.
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB);
  const sender = await relay.loggedIn();
  sender.send(`${crlf('MAIL FROM:<a@a.example>', 'RCPT TO:<b@b.example>', 'DATA', 'Hello', '.', 'QUIT')}`);
  expect((await sender.rest()).at(-2)).toBe('250 2.0.0 message 1');
});

// spec: docs/contract.md#relay-limits: memory
it('20 mails of 10 MB at once are all taken, within the memory for them', async () => {
  relay = await TestRelay.start({}, { memory: 40 * MB });
  const content = `${'x'.repeat(1_022)}\r\n`.repeat(10 * 1_024 - 1);
  const clients = await Promise.all(Array.from({ length: LARGE }, () => relay.loggedIn()));
  const before = process.memoryUsage().external;
  let most = 0;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().external)), 10);
  const taken = await Promise.all(
    clients.map(async (client, i) => {
      const size = i % 2 === 0 ? '' : ` SIZE=${content.length}`;
      client.send(crlf(`MAIL FROM:<a@a.example>${size}`, 'RCPT TO:<b@b.example>', 'DATA'));
      client.send(content);
      client.send('.\r\nQUIT\r\n');
      return (await client.rest()).at(-2);
    }),
  );
  clearInterval(looking);
  expect(new Set(taken)).toEqual(new Set(['250 2.0.0 message 1']));
  // The clients have each mail in memory twice; the relay holds the four that fit.
  expect(most - before).toBeLessThan(2 * LARGE * 11 * MB + 150 * MB);
});
