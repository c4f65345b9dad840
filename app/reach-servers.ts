import { openMongo, type Mongo } from '../stores/mongodb/client';
import { urlFault } from '../stores/mongodb/url-fault';
import { LoginRefusedError } from '../streams/drivers/kafka/unavailable';
import type { ClusterConfig, KafkaConfig } from './cluster-config';
import { StartError } from './start-error';
import { untilReachable, type ReachOptions } from './until-reachable';

export type Waiting = Pick<ReachOptions, 'signal' | 'onWait'>;

/**
 * Does the work with a new client, once MongoDB can be reached (see untilReachable); the work closes the client. Throws StartError
 * too when the URL or its login is wrong, without a word of its user and password.
 */
export function reachMongo<T>(
  { url, database }: ClusterConfig['mongo'],
  waiting: Waiting,
  work: (mongo: Mongo) => Promise<T>,
): Promise<T> {
  const server = `MongoDB at ${hostsOf(url)} (MONGODB_URL)`;
  return untilReachable({ ...waiting, server }, async () => {
    try {
      return await work(await openMongo({ url, database }));
    } catch (error) {
      const fault = urlFault(url, error);
      if (fault !== null) throw new StartError(`MongoDB cannot be used with MONGODB_URL: ${fault}`);
      throw error;
    }
  });
}

/** Does the work once Kafka can be reached (see untilReachable). Throws StartError too when the login is refused. */
export function reachKafka<T>({ brokers, sasl }: KafkaConfig, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  const server = `Kafka at ${brokers.join(', ')} (KAFKA_BROKERS)`;
  return untilReachable({ ...waiting, server }, async () => {
    try {
      return await work();
    } catch (error) {
      if (!sasl || !(error instanceof LoginRefusedError)) throw error;
      throw new StartError(
        `${server} refuses the login: ${error.reason} Check KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD, and that the port takes logins.`,
      );
    }
  });
}

/** The hosts of a MongoDB URL, without user and password, however these are written. */
const hostsOf = (url: string): string =>
  url
    .replace(/^[^/]*\/\//, '')
    .replace(/^.*@/s, '')
    .replace(/[/?].*$/s, '');
