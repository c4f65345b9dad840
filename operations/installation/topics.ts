import type { EventLog } from '../../streams/event-log';
import { GROUPS, readersOf, TOPIC_NAMES } from '../../streams/topics';
import type { TopicView } from './installation-views';

/** The topics of the embedded engine with the lag of their groups. */
export const embeddedTopics = ({ lag }: Pick<EventLog, 'lag'>): Promise<TopicView[]> =>
  Promise.all(
    TOPIC_NAMES.map(async (topic) => ({
      topic,
      name: topic,
      differences: [],
      marker: null,
      partitions: [],
      groups: await Promise.all(
        readersOf(GROUPS, topic).map(async (group) => ({ group, lag: await lag(group, topic), partitions: [] })),
      ),
    })),
  );
