import type { Broker, Cluster } from 'kafkajs';
import type { RawRecord } from '../record-codec';

/** What a fetch answers; the library types it as anything. */
interface FetchResponse {
  responses: {
    topicName: string;
    partitions: {
      partition: number;
      messages: {
        offset: string;
        key: Buffer | null;
        value: Buffer | null;
        timestamp: string;
        headers?: Record<string, Buffer | string>;
        isControlRecord?: boolean;
      }[];
    }[];
  }[];
}

export interface FetchRequest {
  /** By the name of a topic, the first offset wanted in each partition. */
  from: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Bytes for each partition; one record always comes, however large. */
  maxBytes: number;
  /** How long to wait for the first record, ms. */
  maxWait: number;
}

/** A record with the name of its topic. */
export interface FetchedRecord {
  name: string;
  raw: RawRecord;
}

/** The last request to each server. */
const turns = new WeakMap<Broker, Promise<unknown>>();

/** One request after the other: of two that begin at once the library loses a connection, which stays open. */
function inTurn<T>(broker: Broker, request: () => Promise<T>): Promise<T> {
  const turn = (turns.get(broker) ?? Promise.resolve()).then(request);
  turns.set(
    broker,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Records as they lie in the partitions, read without a group, from the server that leads all of them. */
export async function fetchRecords(
  cluster: Cluster,
  nodeId: string,
  { from, maxBytes, maxWait }: FetchRequest,
): Promise<FetchedRecord[]> {
  const broker = await cluster.findBroker({ nodeId });
  const topics = [...from].map(([topic, offsets]) => ({
    topic,
    partitions: [...offsets].map(([partition, offset]) => ({ partition, fetchOffset: String(offset), maxBytes })),
  }));
  const count = topics.reduce((sum, { partitions }) => sum + partitions.length, 0);
  const request = { maxWaitTime: maxWait, minBytes: 1, maxBytes: maxBytes * count, topics };
  const { responses } = (await inTurn(broker, () => broker.fetch(request))) as FetchResponse;
  return responses.flatMap(({ topicName: name, partitions }) =>
    partitions.flatMap(({ partition, messages }) => {
      const first = from.get(name)?.get(partition) ?? 0;
      return (
        messages
          // A batch comes whole, also what is in it before the offset that was asked for.
          .filter(({ offset, isControlRecord }) => !isControlRecord && Number(offset) >= first)
          .map(({ offset, key, value, timestamp, headers = {} }) => ({
            name,
            raw: { partition, offset: Number(offset), key, value, timestamp: Number(timestamp), headers },
          }))
      );
    }),
  );
}

/** Which server leads which partitions. */
export async function leadersOf(cluster: Cluster, topic: string): Promise<Map<string, number[]>> {
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
  return new Map(Object.entries(cluster.findLeaderForPartitions(topic, partitions)));
}
