import { freezeProcesses } from './freeze-processes';
import { killProcesses } from './kill-processes';
import { loseTopics } from './lose-topics';
import { rebalance } from './rebalance';
import type { Scenario } from './scenario';
import { killBroker, killPrimary, loseRedis, stopKafka } from './server-faults';

/** The scenarios by name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  kill: killProcesses,
  freeze: freezeProcesses,
  broker: killBroker,
  primary: killPrimary,
  'kafka-down': stopKafka,
  'topic-deleted': loseTopics,
  redis: loseRedis,
  rebalance,
};
