import { openMongo, type Mongo } from '../../stores/mongodb/database/client';
import type { Patience } from '../../stores/mongodb/transactions/contention';
import { urlFault } from '../../stores/mongodb/database/url-error';
import { NotBuiltError } from '../../streams/drivers/kafka/rdkafka/load';
import { LoginRefusedError } from '../../streams/drivers/kafka/unavailable';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { kafkaServer, mongoServer } from '../../operations/config/server-names';
import { StartError } from '../../lib/start-error';
import { untilReachable, type ReachOptions } from './until-reachable';

/**
 * Limit of the first check, ms: a start soon reports that it is waiting, although later requests wait out an election.
 */
const FIRST_LOOK = 3_000;

export interface Waiting extends Pick<ReachOptions, 'signal' | 'onWait'> {
  /** Reports sooner that no server answers. */
  lookFirst?: boolean;
  /** Default: as long as the callers can wait. */
  patience?: Patience;
}

/**
 * Runs the work with a new client once MongoDB can be reached (see untilReachable); the work closes the client. Also
 * throws StartError when the URL or its login is wrong, without showing user or password.
 */
export function reachMongo<T>(
  config: ClusterConfig,
  { lookFirst, patience, ...waiting }: Waiting,
  work: (mongo: Mongo) => Promise<T>,
): Promise<T> {
  const { url, database } = config.mongo;
  return untilReachable({ ...waiting, server: mongoServer(config) }, async () => {
    try {
      if (lookFirst) await (await openMongo({ url, database, timeoutMS: FIRST_LOOK })).close();
      return await work(await openMongo({ url, database, ...(patience && { patience }) }));
    } catch (error) {
      const fault = urlFault(url, error);
      if (fault !== null) throw new StartError(`MongoDB cannot be used with MONGODB_URL: ${fault}`);
      throw error;
    }
  });
}

/** Runs the work once Kafka can be reached (see untilReachable). Also throws StartError when the login is
 * refused, and when node-rdkafka is not built. */
export function reachKafka<T>(config: ClusterConfig, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  const server = kafkaServer(config);
  return untilReachable({ ...waiting, server }, async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NotBuiltError) throw new StartError(error.message);
      if (!config.kafka.sasl || !(error instanceof LoginRefusedError)) throw error;
      throw new StartError(
        `${server} refuses the login: ${error.reason} Check KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD, and that the port accepts logins.`,
      );
    }
  });
}
