import { kafkaAdmin } from '../../../streams/drivers/kafka/kafka-admin';
import { KafkajsConnection } from '../../../streams/drivers/kafka/kafkajs/connection';
import { groupName, topicName } from '../../../streams/drivers/kafka/names';
import { namesOf, TOPIC_NAMES } from '../../../streams/topics';
import { giveUpAt } from '../../support/limits';
import { workerName } from '../../support/real-services';
import { TEST_GROUPS } from '../test-groups';

/** Topics under this worker's prefix, created once and emptied for each case, since creating takes longer. */
export async function emptyTopics(brokers: readonly string[], name: string): Promise<string> {
  const prefix = `test-${workerName()}-${name}.`;
  const admin = kafkaAdmin({ brokers, prefix });
  const connection = new KafkajsConnection({ brokers, prefix });
  try {
    await admin.prepareTopics();
    await forgetGroups(connection, prefix);
    for (const topic of TOPIC_NAMES) await emptyTopic(connection, topicName(prefix, topic));
  } finally {
    await Promise.all([admin.close(), connection.close()]);
  }
  return prefix;
}

async function emptyTopic(connection: KafkajsConnection, topic: string): Promise<void> {
  await connection.use(`emptying ${topic}`, async ({ admin }) => {
    const offsets = await admin.fetchTopicOffsets(topic);
    const full = offsets.filter(({ low, high }) => low !== high);
    if (full.length === 0) return;
    await admin.deleteTopicRecords({
      topic,
      partitions: full.map(({ partition, high }) => ({ partition, offset: high })),
    });
  });
}

/** Groups can be deleted once they have no members; the broker forgets an abandoned one within a minute. */
async function forgetGroups(connection: KafkajsConnection, prefix: string): Promise<void> {
  const ours = new Set(namesOf(TEST_GROUPS).map((group) => groupName({ prefix }, group)));
  const end = giveUpAt();
  for (;;) {
    const left = await connection.use('forgetting groups', async ({ admin }) => {
      const { groups } = await admin.listGroups();
      const there = groups.map(({ groupId }) => groupId).filter((groupId) => ours.has(groupId));
      if (there.length > 0) await admin.deleteGroups(there).catch(() => {});
      return there.length;
    });
    if (left === 0) return;
    if (performance.now() > end) throw new Error(`the groups of ${prefix} still have members`);
  }
}
