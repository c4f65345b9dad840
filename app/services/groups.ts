import type { Consumer } from '../../consumers/consumer';
import { NOT_IN_STORE } from '../../consumers/not-in-store';
import { recordTask } from '../../lib/activity';
import { UnavailableError } from '../../lib/errors';
import { Runner } from '../../streams/runner';
import type { GroupName } from '../../streams/topics';
import { ForeignRecords } from './foreign-records';
import type { RecordResult } from '../metrics/traffic-metrics';
import type { Part } from '../core/part';
import type { Services } from '../shared-services';

/** Time for running work when the program stops, ms; all parts together stay below ten seconds. */
const GRACE = 7_000;

/** A consumer group as a part of the program: its runner, with its errors logged. */
export function groupPart<G extends GroupName>(
  {
    engine,
    logger,
    activity,
    health,
    metrics,
  }: Pick<Services, 'engine' | 'logger' | 'activity' | 'health' | 'metrics'>,
  consumer: Consumer<G>,
): Part {
  const { group } = consumer;
  const count = (result: RecordResult): void => metrics?.traffic.record(group, result);
  metrics?.reads(group);
  const foreign = new ForeignRecords(group, logger);
  health.watch(`records of ${group}`, async () => foreign.fault(), 'missed');
  const runner = new Runner(engine.log, consumer, {
    onBegin: ({ key }) => activity.begin(recordTask(group, key)),
    onEnd: ({ key }) => {
      activity.end(recordTask(group, key));
      count('done');
    },
    onDrop: (record, reason) => {
      count('dropped');
      logger.debug({ group, key: record.key, reason }, 'record dropped');
    },
    onDead: ({ key }, reason) => {
      count('parked');
      if (reason === NOT_IN_STORE) foreign.note(key);
      else logger.error({ group, key, reason }, 'record parked');
    },
    onThrow: (record, error, attempt) => {
      count('thrown');
      logger.error({ group, key: record.key, err: error, attempt }, 'a record could not be processed; trying again');
    },
    onPollError: (error) => logger.error({ group, err: error }, 'the log cannot be read; trying again'),
    isTransient: (error) => error instanceof UnavailableError,
  });
  return {
    name: `group ${group}`,
    start: () => runner.start(),
    stop: () => runner.stop(GRACE),
    isIdle: () => runner.isIdle(),
  };
}
