import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportAll } from '../../../proof/bench/report-load';

test('the load of reports posts each mail once, as KumoMTA does, and counts those that were taken', async () => {
  const taken: unknown[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const record = JSON.parse(Buffer.concat(chunks).toString()) as { sender: string };
      const isKnown = record.sender !== 'unknown@x';
      if (isKnown) taken.push([req.url, req.headers.authorization, record]);
      res.writeHead(isKnown ? 200 : 400, { 'content-length': '0' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const senders = ['a@x', 'b@x', 'c@x', 'unknown@x'];
  const envelopes = senders.map((sender) => ({ sender, recipient: 'r@y' }));
  expect(await reportAll({ port, secret: 's3cret', envelopes, connections: 2 })).toBe(3);
  server.close();
  const record = expect.objectContaining({ type: 'Delivery', sender: 'a@x', recipient: 'r@y' });
  expect(taken).toHaveLength(3);
  expect(taken).toContainEqual(['/hooks/mta', 'Bearer s3cret', record]);
});
