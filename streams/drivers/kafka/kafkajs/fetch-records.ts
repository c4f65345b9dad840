import type { Cluster } from 'kafkajs';
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
  topic: string;
  /** The first offset wanted, by partition. */
  from: ReadonlyMap<number, number>;
  /** Bytes for each partition; one record always comes, however large. */
  maxBytes: number;
  /** How long to wait for the first record, ms. */
  maxWait: number;
}

/** Records as they lie in the partitions, read without a group. Partitions of one server, which leads them all. */
export async function fetchRecords(
  cluster: Cluster,
  nodeId: string,
  { topic, from, maxBytes, maxWait }: FetchRequest,
): Promise<RawRecord[]> {
  const broker = await cluster.findBroker({ nodeId });
  const partitions = [...from].map(([partition, offset]) => ({ partition, fetchOffset: String(offset), maxBytes }));
  const request = {
    maxWaitTime: maxWait,
    minBytes: 1,
    maxBytes: maxBytes * partitions.length,
    topics: [{ topic, partitions }],
  };
  const { responses } = (await broker.fetch(request)) as FetchResponse;
  return responses.flatMap((response) =>
    response.partitions.flatMap(({ partition, messages }) =>
      messages
        // A batch comes whole, also what is in it before the offset that was asked for.
        .filter(({ offset, isControlRecord }) => !isControlRecord && Number(offset) >= (from.get(partition) ?? 0))
        .map(({ offset, key, value, timestamp, headers = {} }) => ({
          partition,
          offset: Number(offset),
          key,
          value,
          timestamp: Number(timestamp),
          headers,
        })),
    ),
  );
}

/** Which server leads which partitions. */
export async function leadersOf(cluster: Cluster, topic: string): Promise<Map<string, number[]>> {
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
  return new Map(Object.entries(cluster.findLeaderForPartitions(topic, partitions)));
}
