import type { Partitions } from '../../partitions';

/** Certificates as PEM text. The system's authorities are trusted when none is given. */
export interface KafkaTls {
  ca?: string;
  cert?: string;
  key?: string;
}

export interface KafkaSasl {
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  username: string;
  password: string;
}

/** What the names of our topics and groups on the servers are made of. */
export interface LogNames {
  /** Prefix of the name of every topic and group. */
  prefix: string;
  /** The id of the installation, which is part of the names of its groups. Absent before its first start. */
  installation?: string;
}

/** How to reach the servers, and our names on them. Installations that share a cluster have different prefixes. */
export interface KafkaServers extends LogNames {
  /** How many partitions each topic has; default: DEFAULT_PARTITIONS. */
  partitions?: Partitions;
  /** `host:port` */
  brokers: readonly string[];
  /** Present when the servers speak TLS. */
  tls?: KafkaTls;
  sasl?: KafkaSasl;
}

/** The name of this program on the servers. */
export const CLIENT_ID = 'kurir';
/** A member silent for this long loses its partitions, ms. */
export const SESSION_TIMEOUT = 10_000;
/** Publishing gives up after this time, ms. The records may still appear. */
export const DELIVERY_TIMEOUT = 15_000;
/** Any other request gives up after this time, ms. */
export const REQUEST_TIMEOUT = 10_000;
/** How long work in progress on partitions that go to another reader may take, ms. */
export const HAND_OVER_LIMIT = 20_000;
/** A member that does not rejoin within this time when the group changes loses its partitions, ms. */
export const REJOIN_LIMIT = 60_000;
/** A client hears of new partitions within this time, ms. */
export const METADATA_AGE = 10_000;
