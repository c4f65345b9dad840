import { formatDuration } from '../../lib/duration';
import type { EventLog } from '../../streams/event-log';
import { GROUPS, namesOf, type GroupName, type TopicName } from '../../streams/topics';
import type { Check } from './check';
import { LATE } from './overdue-rows';
import { counted } from '../../lib/counted';

/** How far a consumer group is behind on a topic. */
export interface GroupState {
  group: GroupName;
  topic: TopicName;
  lag: number;
  /** When the oldest uncommitted record was written, ms. */
  behindSince: number | null;
}

const MANY = 1_000;

/** Checks the lag of every group and the dead letters. A group that has been behind for long has stopped. */
export async function checkLog(
  log: Pick<EventLog, 'lag' | 'behindSince' | 'parked'>,
  now: number,
  running: boolean,
): Promise<{ groups: GroupState[]; parked: number; checks: Check[] }> {
  const groups: GroupState[] = [];
  const checks: Check[] = [];
  const read = namesOf(GROUPS).flatMap((group) => GROUPS[group].topics.map((topic) => ({ group, topic })));
  for (const { group, topic } of read) {
    const behindSince = await log.behindSince(group, topic);
    const lag = behindSince === null ? 0 : await log.lag(group, topic);
    groups.push({ group, topic, lag, behindSince });
    const late = behindSince !== null && now - behindSince > LATE;
    const age = behindSince === null ? '' : `, the oldest since ${formatDuration(now - behindSince)}`;
    checks.push({
      check: `group ${group}`,
      status: late ? (running ? 'wrong' : 'note') : 'ok',
      detail: `${counted(lag, 'record')} of ${topic} pending${age}`,
    });
  }
  const parked = (await log.parked(MANY)).length;
  const count = parked === MANY ? `${MANY} or more` : String(parked);
  checks.push({
    check: 'parked',
    status: parked > 0 ? 'wrong' : 'ok',
    detail:
      parked > 0
        ? `${count} ${parked === 1 ? 'record' : 'records'} could not be processed: kurir dead-letters list`
        : 'nothing',
  });
  return { groups, parked, checks };
}
