import type {
  ConsumerGlobalConfig,
  ConsumerTopicConfig,
  GlobalConfig,
  ProducerGlobalConfig,
  ProducerTopicConfig,
} from 'node-rdkafka';
import {
  CLIENT_ID,
  DELIVERY_TIMEOUT,
  METADATA_AGE,
  REJOIN_LIMIT,
  SESSION_TIMEOUT,
  type KafkaServers,
} from '../options';

const protocols = { plain: 'PLAIN', 'scram-sha-256': 'SCRAM-SHA-256', 'scram-sha-512': 'SCRAM-SHA-512' } as const;

/** How librdkafka reaches the servers. */
function connection({ brokers, tls, sasl }: KafkaServers): GlobalConfig {
  return {
    'client.id': CLIENT_ID,
    'metadata.broker.list': brokers.join(','),
    'security.protocol': sasl ? (tls ? 'sasl_ssl' : 'sasl_plaintext') : tls ? 'ssl' : 'plaintext',
    ...(tls?.ca === undefined ? {} : { 'ssl.ca.pem': tls.ca }),
    ...(tls?.cert === undefined ? {} : { 'ssl.certificate.pem': tls.cert }),
    ...(tls?.key === undefined ? {} : { 'ssl.key.pem': tls.key }),
    ...(sasl && {
      'sasl.mechanisms': protocols[sasl.mechanism],
      'sasl.username': sasl.username,
      'sasl.password': sasl.password,
    }),
    'reconnect.backoff.ms': 100,
    'reconnect.backoff.max.ms': 2_000,
    'socket.keepalive.enable': true,
    'topic.metadata.refresh.interval.ms': METADATA_AGE,
    'allow.auto.create.topics': false,
    log_level: 3,
  };
}

export const producerConfig = (servers: KafkaServers): ProducerGlobalConfig => ({
  ...connection(servers),
  'enable.idempotence': true,
  'queue.buffering.max.ms': 2,
  'queue.buffering.max.messages': 50_000,
  'queue.buffering.max.kbytes': 65_536,
  dr_cb: true,
});

/** Idempotence requires that all in-sync servers have a record. */
export const producerTopicConfig: ProducerTopicConfig = { acks: -1, 'message.timeout.ms': DELIVERY_TIMEOUT };

export const consumerConfig = (servers: KafkaServers, group: string): ConsumerGlobalConfig => ({
  ...connection(servers),
  'group.id': group,
  'partition.assignment.strategy': 'cooperative-sticky',
  'session.timeout.ms': SESSION_TIMEOUT,
  'heartbeat.interval.ms': 2_000,
  'max.poll.interval.ms': REJOIN_LIMIT,
  'enable.auto.commit': false,
  'enable.auto.offset.store': false,
  'queued.min.messages': 1_000,
  'queued.max.messages.kbytes': 16_384,
  'fetch.message.max.bytes': 262_144,
  'fetch.wait.max.ms': 500,
});

/** When a position is no longer in the log, because its topic was recreated, continue at the oldest record. */
export const consumerTopicConfig: ConsumerTopicConfig = { 'auto.offset.reset': 'earliest' };
