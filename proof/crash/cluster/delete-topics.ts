import { KafkaJSProtocolError, type Admin } from 'kafkajs';
import { SECOND } from '../../../lib/clock';
import { until } from '../stage/until';

const PATIENCE = 30 * SECOND;
const LOOK_EVERY = 100;

/**
 * Deletes the topics whose names are ours, and resolves once the servers list none of them: they still do for a moment.
 * Throws when that takes longer than 30 s.
 */
export async function deleteTopics(admin: Admin, ours: (name: string) => boolean): Promise<void> {
  const listed = async (): Promise<string[]> => (await admin.listTopics()).filter(ours);
  const topics = await listed();
  if (topics.length === 0) return;
  await admin.deleteTopics({ topics, timeout: PATIENCE }).catch(ignoreUnknown);
  const gone = async (): Promise<boolean> => (await listed()).length === 0;
  if (!(await until(gone, { every: LOOK_EVERY, patience: PATIENCE }))) {
    throw new Error(`The servers still list topics ${PATIENCE} ms after they were deleted.`);
  }
}

/** kafkajs repeats a request that failed on the way, and then finds the topics gone. */
function ignoreUnknown(error: unknown): void {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof KafkaJSProtocolError && cause.type === 'UNKNOWN_TOPIC_OR_PARTITION')) throw error;
}
