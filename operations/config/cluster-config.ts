import { SECOND } from '../../lib/clock';
import type { VariableName } from './config-variables';
import { MAX_PARTITIONS } from '../../streams/partitions';
import { readHostPort, type EnvReader } from './env-reader';

/** The servers of the cluster engine and how to connect to them. */
export interface ClusterConfig {
  kafka: KafkaConfig;
  mongo: { url: string; database: string };
  redisUrl: string;
  /** How long a start that changes the schema waits for processes of an older one, ms. */
  upgradeWait: number;
}

export interface KafkaConfig {
  /** `host:port` */
  brokers: string[];
  sasl: { mechanism: (typeof MECHANISMS)[number]; username: string; password: string } | null;
  /** Null: no TLS. Without a file, the certificate authorities of the system. */
  tls: { caFile: string | null } | null;
  /** Prefix of topics and consumer groups. */
  prefix: string;
  /** Partitions of each topic of a new installation. */
  partitions: number;
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
/** Kafka allows 249 characters in a topic name. */
const PREFIX = /^[a-zA-Z0-9._-]{1,100}$/;
/** The URL standard does not allow several hosts. */
const MONGO_URL = /^mongodb(\+srv)?:\/\/([^/?#\s]*@)?[^/?#\s@,]+(,[^/?#\s@,]+)*(\/[^?#\s]*)?(\?[^#\s]*)?$/;
const DATABASE_NAME = /^[a-zA-Z0-9_-]{1,38}$/;

type Reader = EnvReader<VariableName>;

/** Reads the settings of the cluster engine; the reader collects every error. */
export function readCluster(read: Reader): ClusterConfig {
  return {
    kafka: {
      brokers: readBrokers(read),
      sasl: readSasl(read),
      tls: readKafkaTls(read),
      prefix: read.matching(
        'KURIR_KAFKA_PREFIX',
        PREFIX,
        'must be 1 to 100 letters, digits, dots, dashes or underscores',
      ),
      partitions: read.whole('KURIR_PARTITIONS', 2, MAX_PARTITIONS),
    },
    mongo: {
      url: readMongoUrl(read),
      database: read.matching(
        'MONGODB_DATABASE',
        DATABASE_NAME,
        'must be 1 to 38 letters, digits, dashes or underscores',
      ),
    },
    redisUrl: readRedisUrl(read),
    upgradeWait: read.duration('KURIR_UPGRADE_WAIT', SECOND),
  };
}

const required = (read: Reader, name: VariableName): boolean => {
  if (read.text(name)) return true;
  read.fault(name, 'is required by the cluster engine');
  return false;
};

function readBrokers(read: Reader): string[] {
  if (!required(read, 'KAFKA_BROKERS')) return [];
  const brokers = read
    .text('KAFKA_BROKERS')
    .split(',')
    .map((broker) => broker.trim())
    .filter(Boolean);
  const valid = brokers.length > 0 && brokers.every((broker) => readHostPort(broker) !== null);
  if (!valid) read.fault('KAFKA_BROKERS', 'must be host:port, comma-separated');
  return brokers;
}

function readSasl(read: Reader): KafkaConfig['sasl'] {
  const [username, password] = [read.text('KAFKA_SASL_USERNAME'), read.text('KAFKA_SASL_PASSWORD')];
  const wanted = read.text('KAFKA_SASL_MECHANISM').toLowerCase();
  if (!wanted) {
    if (username || password)
      read.fault('KAFKA_SASL_MECHANISM', 'must be set too: it says how the user name and password are used');
    return null;
  }
  const mechanism = MECHANISMS.find((known) => known === wanted);
  if (!mechanism) read.fault('KAFKA_SASL_MECHANISM', `must be one of ${MECHANISMS.join(', ')}`);
  if (!username) read.fault('KAFKA_SASL_USERNAME', 'must be set too: KAFKA_SASL_MECHANISM requires a login');
  if (!password) read.fault('KAFKA_SASL_PASSWORD', 'must be set too: KAFKA_SASL_MECHANISM requires a login');
  return { mechanism: mechanism ?? 'plain', username, password };
}

function readKafkaTls(read: Reader): KafkaConfig['tls'] {
  const tls = read.oneOf('KAFKA_TLS', ['false', 'true']) === 'true';
  const caFile = read.text('KAFKA_TLS_CA') || null;
  if (caFile && !tls) read.fault('KAFKA_TLS_CA', 'may only be set with KAFKA_TLS=true');
  return tls ? { caFile } : null;
}

function readMongoUrl(read: Reader): string {
  const wrong = 'must be a URL that starts with mongodb:// or mongodb+srv:// and names a host';
  return required(read, 'MONGODB_URL') ? read.matching('MONGODB_URL', MONGO_URL, wrong) : '';
}

function readRedisUrl(read: Reader): string {
  return (required(read, 'REDIS_URL') && read.url('REDIS_URL', ['redis:', 'rediss:'])) || '';
}
