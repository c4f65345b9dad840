/** Certificates as PEM text; the system's authorities are trusted where none is given. */
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

/** How to reach the servers, and the names of ours on them. */
export interface KafkaServers {
  /** `host:port` */
  brokers: readonly string[];
  /** Present when the servers speak TLS. */
  tls?: KafkaTls;
  sasl?: KafkaSasl;
  /** Before the name of every topic and group, so that several installations may share a cluster. */
  prefix: string;
}

/** What the servers call this program. */
export const CLIENT_ID = 'kurir';
/** A member that was not heard of for so long has lost its partitions, ms. */
export const SESSION_TIMEOUT = 10_000;
/** Publishing gives up after this time, ms; the records may still appear. */
export const DELIVERY_TIMEOUT = 15_000;
/** Any other request gives up after this time, ms. */
export const REQUEST_TIMEOUT = 10_000;
/** What is under way of partitions that another reader is to get has so long to finish, ms. */
export const HAND_OVER_LIMIT = 20_000;
/** A member that does not join again for so long, when the group changes, has lost its partitions, ms. */
export const REJOIN_LIMIT = 60_000;
