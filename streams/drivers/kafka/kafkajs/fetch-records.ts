import type { Broker, Cluster } from 'kafkajs';
import type { RawRecord } from '../record-codec';

/** The response to a fetch; the library does not type it. */
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
  /** By topic name, the first offset wanted in each partition. */
  from: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Bytes for each partition. One record always arrives, however large. */
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

/** Sends one request at a time to a server: when two start at once, the library leaks a connection. */
function inTurn<T>(broker: Broker, request: () => Promise<T>): Promise<T> {
  const turn = (turns.get(broker) ?? Promise.resolve()).then(request);
  turns.set(
    broker,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Reads records from partitions without a group, from the server that leads all of them. */
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
          // A batch arrives whole, including records before the offset requested.
          .filter(({ offset, isControlRecord }) => !isControlRecord && Number(offset) >= first)
          .map(({ offset, key, value, timestamp, headers = {} }) => ({
            name,
            raw: { partition, offset: Number(offset), key, value, timestamp: Number(timestamp), headers },
          }))
      );
    }),
  );
}

/** The partitions that each server leads. */
export async function leadersOf(cluster: Cluster, topic: string): Promise<Map<string, number[]>> {
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
  return new Map(Object.entries(cluster.findLeaderForPartitions(topic, partitions)));
}
