import { describe } from '@jest/globals';
import { describeEventLog } from '../event-log.suite';
import { openLogOver } from './open-log';

const brokers = process.env['KAFKA_BROKERS']?.split(',') ?? [];

for (const client of ['rdkafka', 'kafkajs'] as const) {
  (brokers.length > 0 ? describe : describe.skip)(`over ${client}`, () => {
    describeEventLog(openLogOver(client, brokers));
  });
}
