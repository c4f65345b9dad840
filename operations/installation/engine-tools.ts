import type { AdvancingClock } from '../../lib/advancing-clock';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { Engine } from '../../stores/ports/engine';
import type { PersonalDataSource } from '../../stores/ports/personal-data';
import type { TopicName } from '../../streams/topics';
import type { ClusterConfig } from '../config/cluster-config';
import type { Config } from '../config/config';
import type { CollectionView, Move, TopicView } from './installation-views';
import type { UpgradeFacts } from './upgrade-facts';

/** Where the data is: the file of the embedded engine, or the servers of a cluster. */
export type DataAt = { file: string } | { cluster: ClusterConfig };

/** What an operator's tools need of the engine, whether the service runs or not. The wiring fulfils it. */
export interface EngineTools {
  /**
   * Opens the data for the command line. Moves `clock` to the time of the service. Rejects with StartError when there
   * is no data, a SchemaError and UnavailableError.
   */
  attach(config: Config, clock?: AdvancingClock): Promise<Engine>;
  /** Opens the data read-only for the audit. Rejects with StartError and the errors of the stores. */
  auditSource(at: DataAt): Promise<AuditSource>;
  /** Opens all stored data read-only, to be searched for an address. Rejects with the errors of the stores. */
  personalData(at: DataAt): Promise<PersonalDataSource>;
  /** The servers of a cluster. */
  cluster(config: ClusterConfig): Promise<ClusterTools>;
}

/** What an operator sees and changes on the servers of a cluster. Nothing waits for a server that does not answer. */
export interface ClusterTools {
  topics(): Promise<TopicView[]>;
  /** Makes missing topics and returns their names. Rejects when one differs, or when they are another's. */
  makeTopics(): Promise<string[]>;
  /** Raises the partitions of topics to `count` and returns those that grew. */
  growTopics(topics: readonly TopicName[], count: number): Promise<TopicName[]>;
  /** Binds the installation to the topics of KURIR_KAFKA_PREFIX. */
  moveTopics(): Promise<Move>;
  collections(): Promise<CollectionView[]>;
  /** Makes missing collections and indexes and returns what was missing. Rejects when one differs. */
  makeCollections(): Promise<string[]>;
  /** The schema of the data, and the processes whose lease has not expired. */
  upgradeFacts(): Promise<UpgradeFacts>;
  /** How far this machine's clock is ahead of the store's, ms. */
  skew(): Promise<number>;
  /** The partitions that no process reads, as sentences. */
  unreadPartitions(): Promise<string[]>;
}
