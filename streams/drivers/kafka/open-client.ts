import type { KafkaClient } from './client';
import { kafkajsClient } from './kafkajs/kafkajs-client';
import type { KafkaServers } from './options';
import { loadRdkafka } from './rdkafka/load';
import { rdkafkaClient } from './rdkafka/rdkafka-client';

export type ClientChoice = 'auto' | 'rdkafka' | 'kafkajs';

/** Creates the chosen client, not yet connected. `rdkafka` throws when node-rdkafka is not built. */
export function openClient(
  choice: ClientChoice,
  servers: KafkaServers,
  onProblem: (error: unknown) => void,
): KafkaClient {
  const library = choice === 'kafkajs' ? null : loadRdkafka();
  if (library) return rdkafkaClient(library, servers, onProblem);
  if (choice === 'rdkafka') throw new Error('node-rdkafka is not built; `npm run native` builds it');
  return kafkajsClient(servers);
}
