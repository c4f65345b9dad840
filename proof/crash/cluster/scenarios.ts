import { growPartitions, resetOffsets } from './log-faults';
import { loseTopics } from './lose-topics';
import { blackHole, slowStore } from './network-faults';
import { freezeProcesses, killProcesses, rebalance, rollingRestart } from './process-faults';
import type { Scenario } from './scenario';
import { dropIndexes, fillDisk } from './store-faults';
import { wrongClock } from './wrong-clock';
import {
  killBroker,
  killPrimary,
  killTwoBrokers,
  killTwoMembers,
  loseRedis,
  pausePrimary,
  stopKafka,
} from './server-faults';

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
  'primary-paused': pausePrimary,
  'two-brokers': killTwoBrokers,
  'two-members': killTwoMembers,
  'slow-store': slowStore,
  'black-hole': blackHole,
  'offsets-reset': resetOffsets,
  'rolling-restart': rollingRestart,
  'partitions-grown': growPartitions,
  'wrong-clock': wrongClock,
  'full-disk': fillDisk,
  'indexes-dropped': dropIndexes,
};
