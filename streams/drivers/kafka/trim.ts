import { readersOf, TOPICS, TOPIC_NAMES, type TopicName } from '../../topics';
import type { KafkajsConnection } from './kafkajs/connection';
import { topicName, type ServedLog } from './names';
import { positionsOf, rangesOf } from './offsets';

/** Where a topic's partitions should start. */
interface Cut {
  partition: number;
  low: number;
  to: number;
}

/**
 * Deletes records from the old end of each partition that every group of the topic has committed and that retention no
 * longer keeps at `now` (ms), at most `limit` in all. Returns how many were deleted. Nothing else ever deletes records:
 * the topics are configured so.
 */
export async function trim(log: ServedLog, now: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const topic of TOPIC_NAMES) {
    if (deleted >= limit) break;
    const cuts = upTo(await cutsOf(log, topic, now), limit - deleted);
    if (cuts.length === 0) continue;
    const partitions = cuts.map(({ partition, to }) => ({ partition, offset: String(to) }));
    const name = topicName(log.prefix, topic);
    await log.connection.use(`trimming ${topic}`, async ({ admin }) => {
      // The admin finds the leaders only for topics it has requested before.
      await admin.fetchTopicOffsets(name);
      await admin.deleteTopicRecords({ topic: name, partitions });
    });
    deleted += cuts.reduce((sum, { low, to }) => sum + to - low, 0);
  }
  return deleted;
}

async function cutsOf(log: ServedLog, topic: TopicName, now: number): Promise<Cut[]> {
  const ranges = await rangesOf(log, topic);
  if (ranges.every(({ low, end }) => low === end)) return [];
  const limits = await Promise.all(readersOf(log.groups, topic).map((group) => positionsOf(log, group, topic)));
  const young = await firstYoung(log.connection, topicName(log.prefix, topic), now - TOPICS[topic].retention);
  return ranges
    .map(({ partition, low, end }) => {
      const done = limits.map((positions) => positions.find((one) => one.partition === partition)?.next ?? low);
      return { partition, low, to: Math.min(end, young.get(partition) ?? low, ...done) };
    })
    .filter(({ low, to }) => to > low);
}

/** By partition, the offset of the first record written at `since` or later. */
const firstYoung = (connection: KafkajsConnection, name: string, since: number): Promise<Map<number, number>> =>
  connection.use(`ages of ${name}`, async ({ admin }) => {
    const found = await admin.fetchTopicOffsetsByTimestamp(name, Math.max(0, since));
    return new Map(found.map(({ partition, offset }) => [partition, Number(offset)]));
  });

function upTo(cuts: readonly Cut[], limit: number): Cut[] {
  let left = limit;
  return cuts.flatMap(({ partition, low, to }) => {
    const count = Math.min(left, to - low);
    left -= count;
    return count > 0 ? [{ partition, low, to: low + count }] : [];
  });
}
