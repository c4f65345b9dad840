import { describeOn } from '../../support/real-services';
import { describeEventLog } from '../event-log.suite';
import { openLogOver } from './open-log';

for (const client of ['rdkafka', 'kafkajs'] as const) {
  describeOn(['kafka'], `over ${client}`, ({ kafka }) => describeEventLog(openLogOver(client, kafka.split(','))));
}
