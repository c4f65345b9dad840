import { afterEach, expect, jest, test } from '@jest/globals';
import RequestQueue from 'kafkajs/src/network/requestQueue';
import '../../../../../streams/drivers/kafka/kafkajs/connection';

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
