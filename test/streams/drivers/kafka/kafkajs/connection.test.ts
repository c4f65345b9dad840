import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import RequestQueue from 'kafkajs/src/network/requestQueue';
import { keptSockets } from '../../../../../streams/drivers/kafka/kafkajs/connection';

afterEach(() => {
  jest.useRealTimers();
});

test('a connection to Kafka looks for requests that wait only while there are some', () => {
  jest.useFakeTimers();
  const state = { pending: [] as unknown[], throttledUntil: -1, throttleCheckTimeoutId: null };
  const queue = Object.assign(Object.create(RequestQueue.prototype) as RequestQueue, state);
  queue.scheduleCheckPendingRequests();
  expect(jest.getTimerCount()).toBe(0);
  state.pending.push('a request');
  queue.scheduleCheckPendingRequests();
  expect(jest.getTimerCount()).toBe(1);
});

test('a connection that ended destroys its sockets, and those that a repeated request opens', async () => {
  const accepted: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => accepted.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kept = keptSockets();
  const told: string[] = [];
  const open = (): { socket: Socket; end: Promise<void> } => {
    const socket = kept.socketFactory({ host: '127.0.0.1', port } as never);
    socket.on('error', ({ message }) => told.push(message));
    return { socket, end: new Promise((resolve) => socket.once('close', () => resolve())) };
  };
  const ended = open();
  await once(ended.socket, 'connect');
  // The server keeps its side open, so this alone closes nothing.
  ended.socket.end();
  kept.end();
  await ended.end;
  await open().end;
  expect(told).toEqual(['the connection is closed', 'the connection is closed']);
  expect(kept.sockets.size).toBe(0);
  accepted.forEach((socket) => socket.destroy());
  server.close();
  await once(server, 'close');
});
