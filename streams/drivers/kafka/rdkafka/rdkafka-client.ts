import type { KafkaClient } from '../client';
import type { KafkaServers } from '../options';
import type { Rdkafka } from './load';
import { RdkafkaFeed } from './rdkafka-feed';
import { RdkafkaProducer } from './rdkafka-producer';

/** Transports the records through librdkafka. */
export const rdkafkaClient = (
  library: Rdkafka,
  servers: KafkaServers,
  onProblem: (error: unknown) => void,
): KafkaClient => ({
  name: 'rdkafka',
  producer: () => new RdkafkaProducer(library, servers, onProblem),
  feed: (membership, owner) => new RdkafkaFeed(library, servers, membership, owner),
  close: async () => {},
});
