import type { KafkaClient } from '../client';
import type { KafkaServers } from '../options';
import { loadRdkafka } from './load';
import { RdkafkaFeed } from './rdkafka-feed';
import { RdkafkaProducer } from './rdkafka-producer';

/** Transports the records through librdkafka; not yet connected. Throws NotBuiltError. */
export function rdkafkaClient(servers: KafkaServers, onProblem: (error: unknown) => void): KafkaClient {
  const library = loadRdkafka();
  return {
    producer: () => new RdkafkaProducer(library, servers, onProblem),
    feed: (membership, owner) => new RdkafkaFeed(library, servers, membership, owner),
  };
}
