import type { KafkaClient } from '../client';
import type { KafkaServers } from '../options';
import { KafkajsFeed } from './kafkajs-feed';
import { KafkajsProducer } from './kafkajs-producer';

/** Transports the records through kafkajs, where node-rdkafka is not built. */
export const kafkajsClient = (servers: KafkaServers): KafkaClient => ({
  name: 'kafkajs',
  producer: () => new KafkajsProducer(servers),
  feed: (membership, owner) => new KafkajsFeed(servers, membership, owner),
  close: async () => {},
});
