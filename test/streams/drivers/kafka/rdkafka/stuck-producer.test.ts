import { afterEach, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { RdkafkaProducer } from '../../../../../streams/drivers/kafka/rdkafka/rdkafka-producer';
import type { Rdkafka } from '../../../../../streams/drivers/kafka/rdkafka/load';
import type { EncodedRecord } from '../../../../../streams/drivers/kafka/record-codec';

const ERRORS = { ERR__FATAL: -150, ERR__MSG_TIMED_OUT: -192, ERR__QUEUE_FULL: -184 };
const TIMED_OUT = Object.assign(new Error('Local: Message timed out'), { code: ERRORS.ERR__MSG_TIMED_OUT });
const record: EncodedRecord = {
  topic: 't',
  partition: 0,
  timestamp: 0,
  headers: {},
  key: Buffer.from('k'),
  value: Buffer.from('{}'),
};

let now = 0;
let opened = 0;
/** What the server answers to each record; the first line of the program may be stuck while a second is not. */
let answer: (line: number) => Error | null;

class FakeProducer extends EventEmitter {
  private readonly line = (opened += 1);
  private readonly reports: unknown[] = [];
  connect = (_options: unknown, done: (error: null) => void): void => done(null);
  disconnect = (...args: unknown[]): void => (args.at(-1) as (error: null) => void)(null);
  isConnected = (): boolean => true;
  produce = (...args: unknown[]): void => void this.reports.push(args[5]);
  poll = (): void => {
    for (const opaque of this.reports.splice(0)) this.emit('delivery-report', answer(this.line), { opaque });
  };
}
const library = { Producer: FakeProducer, CODES: { ERRORS } } as unknown as Rdkafka;

afterEach(() => void jest.restoreAllMocks());

it('a producer whose records only time out is replaced after half a minute, and not before', async () => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  answer = (line) => (line === 1 ? TIMED_OUT : null);
  const producer = new RdkafkaProducer(library, { brokers: ['k:1'], prefix: '' }, () => undefined);
  const sendAt = async (at: number): Promise<string> => {
    now = at;
    return producer.send([record]).then(
      () => 'written',
      (error: Error) => error.message,
    );
  };
  expect(await sendAt(0)).toContain('timed out');
  expect(await sendAt(29_000)).toContain('timed out');
  expect(opened).toBe(1);
  expect(await sendAt(31_000)).toContain('timed out');
  expect(await sendAt(32_000)).toBe('written');
  expect(opened).toBe(2);
  await producer.close();
});
