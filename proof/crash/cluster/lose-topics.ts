import type { Admin } from 'kafkajs';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { TopicName } from '../../../streams/topics';
import { until } from '../stage/until';
import { withKafka } from './clients';
import type { Scenario, ScenarioContext } from './scenario';

/** Within this time one of the processes makes a deleted topic again, ms. */
const MADE_WITHIN = 15 * SECOND;
const LOOK_EVERY = 200;
const BETWEEN = 10 * SECOND;

/** Deletes both command topics, one after the other, with every record in them. */
export const loseTopics: Scenario = {
  about: 'the topics messages.accepted and messages.dispatch are deleted, and the processes make them again',
  async run(context) {
    const faults: string[] = [];
    for (const topic of ['messages.accepted', 'messages.dispatch'] as const) {
      context.progress(`delete ${topic}`);
      const took = await deleteTopic(context, topic);
      context.progress(took === null ? 'it was not made again' : `it was made again ${took} ms later`);
      if (took === null) faults.push(`${topic} was not made again within ${MADE_WITHIN} ms`);
      await sleep(BETWEEN);
    }
    return faults;
  },
};

/** Returns how long it was missing, ms; null when it was not made again. */
const deleteTopic = ({ installation: { env } }: ScenarioContext, topic: TopicName): Promise<number | null> =>
  withKafka(env, async (admin, prefix) => {
    const name = prefix + topic;
    const before = await recordsIn(admin, name);
    await admin.deleteTopics({ topics: [name] });
    const began = Date.now();
    const isNew = async (): Promise<boolean> => (await recordsIn(admin, name)) < before;
    return (await until(isNew, { every: LOOK_EVERY, patience: MADE_WITHIN })) ? Date.now() - began : null;
  });

/** How many records were ever written to the topic; Infinity while it does not exist. */
async function recordsIn(admin: Admin, topic: string): Promise<number> {
  try {
    return (await admin.fetchTopicOffsets(topic)).reduce((sum, { high }) => sum + Number(high), 0);
  } catch {
    return Infinity;
  }
}
