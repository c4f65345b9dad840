import type { Message } from 'kafkajs';
import { kafkajs, type KafkajsConnection } from './kafkajs/connection';
import { fetchRecords, leadersOf } from './kafkajs/fetch-records';
import { MARKER_TOPIC, topicName } from './names';
import type { KafkaServers } from './options';
import { unavailable } from './unavailable';

/** Whose topics these are (docs/decisions/0037-an-installation-has-an-id.md). */
export interface InstallationMarker {
  /** The id of the installation. */
  installation: string;
  /** The name of its database, for people who read an error. */
  database: string;
}

const PAGE_BYTES = 65_536;
const WAIT = 500;
/** Empty answers in a row before reading is given up. */
const PATIENCE = 20;

/**
 * Reads the marker of the topics with this prefix; null when there is none. The first record of its topic counts, and
 * nothing ever deletes it, so of two installations that write one at the same moment both find the same owner. Throws
 * UnavailableError.
 */
export function readMarker(connection: KafkajsConnection, prefix: string): Promise<InstallationMarker | null> {
  const name = topicName(prefix, MARKER_TOPIC);
  return connection.use('reading whose topics these are', async ({ admin, cluster }) => {
    if (!(await admin.listTopics()).includes(name)) return null;
    const [range] = await admin.fetchTopicOffsets(name);
    let next = Number(range?.low ?? 0);
    for (let empty = 0; next < Number(range?.high ?? 0); empty += 1) {
      if (empty > PATIENCE)
        throw unavailable('reading whose topics these are', new Error('its record does not arrive'));
      const [leader] = [...(await leadersOf(cluster, name)).keys()];
      const from = new Map([[name, new Map([[0, next]])]]);
      for (const { raw } of await fetchRecords(cluster, leader ?? '', { from, maxBytes: PAGE_BYTES, maxWait: WAIT })) {
        const marker = decode(raw.value);
        if (marker) return marker;
        next = raw.offset + 1;
      }
    }
    return null;
  });
}

/**
 * Writes the marker if there is none, and returns the one that counts. The topic must exist. `now` is the time of the
 * record, ms. Throws UnavailableError.
 */
export async function claimTopics(
  connection: KafkajsConnection,
  servers: KafkaServers,
  mine: InstallationMarker,
  now: number,
): Promise<InstallationMarker> {
  const found = await readMarker(connection, servers.prefix);
  if (found) return found;
  await write(servers, { key: mine.installation, value: JSON.stringify(mine), timestamp: String(now) });
  const first = await readMarker(connection, servers.prefix);
  if (!first) throw unavailable('marking the topics', new Error('the record written does not arrive'));
  return first;
}

/** Resolves once the record is on disk. */
async function write(servers: KafkaServers, message: Message): Promise<void> {
  const producer = kafkajs(servers).producer({ allowAutoTopicCreation: false });
  try {
    await producer.connect();
    const topic = topicName(servers.prefix, MARKER_TOPIC);
    const written = await producer.send({ topic, acks: -1, messages: [{ ...message, partition: 0 }] });
    // Without an error the library leaves out what belongs to a partition that it has not heard of.
    if (written.length === 0) throw new Error(`no server is known for ${topic}`);
  } catch (error) {
    throw unavailable('marking the topics', error);
  } finally {
    await producer.disconnect().catch(() => undefined);
  }
}

/** Null for a record that is not a marker. */
function decode(value: Buffer | null): InstallationMarker | null {
  try {
    const { installation, database } = JSON.parse(value?.toString() ?? '') as Partial<InstallationMarker>;
    return typeof installation === 'string' ? { installation, database: String(database ?? 'unknown') } : null;
  } catch {
    return null;
  }
}
