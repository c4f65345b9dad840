import type { ClusterConfig } from './cluster-config';

/**
 * How logs and errors describe each server of a cluster: its kind, its address without user and password, and the
 * setting.
 */
export const mongoServer = ({ mongo }: Pick<ClusterConfig, 'mongo'>): string =>
  `MongoDB at ${hostsOf(mongo.url)} (MONGODB_URL)`;

export const kafkaServer = ({ kafka }: Pick<ClusterConfig, 'kafka'>): string =>
  `Kafka at ${kafka.brokers.join(', ')} (KAFKA_BROKERS)`;

export const redisServer = ({ redisUrl }: Pick<ClusterConfig, 'redisUrl'>): string =>
  `Redis at ${hostsOf(redisUrl)} (REDIS_URL)`;

/** The hosts of a URL without user and password, however they are written. */
const hostsOf = (url: string): string =>
  url
    .replace(/^[^/]*\/\//, '')
    .replace(/^.*@/s, '')
    .replace(/[/?].*$/s, '');
