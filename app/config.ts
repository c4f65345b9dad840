import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { DAY, SECOND } from '../domain/clock';
import { parseDuration } from '../domain/duration';
import { type Env, EnvReader } from './env-reader';

/** The whole configuration, checked. Nothing else reads the environment. */
export interface Config {
  engine: 'embedded' | 'cluster';
  dataDir: string;
  httpHost: string;
  httpPort: number;
  smtpPort: number;
  smtpsPort: number;
  bouncePort: number;
  sandboxPort: number;
  /** Null: the sandbox inside the process. */
  mtaUrl: string | null;
  /** Null: taken from the real host and port once bound. No trailing slash. */
  publicUrl: string | null;
  /** ms (DESIGN 3.5) */
  evidenceWait: number;
  /** Addresses or names whose delivery reports count (DESIGN 3.6), beside loopback and the host of the MTA. */
  reportPeers: string[];
  /** Null: made and kept in the data dir (embedded only). */
  secret: string | null;
  apiRatePerMinute: number;
  /** Host names served beside that of the public URL, lower case, without port. */
  hosts: string[];
  trustedHops: number;
  tls: { certFile: string; keyFile: string } | null;
  /** Parallel SMTP connections to the sending server. */
  mtaConnections: number;
  logLevel: string;
}

/** Every fault of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`Configuration: ${faults.join(' ')}`);
  }
}

/** One documented variable: its default as written in `.env.example`, and what it is for. */
export const VARIABLES = {
  KURIR_ENGINE: { default: 'embedded', about: 'embedded (SQLite, one process) or cluster (Kafka, MongoDB, Redis)' },
  KURIR_DATA_DIR: { default: './data', about: 'where the embedded engine keeps everything' },
  KURIR_HTTP_HOST: { default: '127.0.0.1', about: 'address the REST API and the public pages listen on' },
  KURIR_HTTP_PORT: { default: '8080', about: 'port of the REST API and the public pages' },
  KURIR_SMTP_PORT: { default: '2587', about: 'SMTP relay, STARTTLS' },
  KURIR_SMTPS_PORT: { default: '2465', about: 'SMTP relay, TLS from the start' },
  KURIR_BOUNCE_PORT: { default: '2525', about: 'listener for delivery reports (DSN) and complaints (ARF)' },
  KURIR_SANDBOX_PORT: { default: '2526', about: 'the sandbox sending server' },
  KURIR_MTA_URL: { default: '', about: 'the sending server, smtp:// or smtps://; empty: the sandbox' },
  KURIR_PUBLIC_URL: { default: '', about: 'base of tracking links and pages; empty: the real host and port' },
  KURIR_EVIDENCE_WAIT: { default: '4d', about: 'how long a mail without any delivery report is waited for' },
  KURIR_REPORT_PEERS: {
    default: '',
    about: 'hosts whose delivery reports count, comma-separated, beside loopback and the MTA',
  },
  KURIR_SECRET: {
    default: '',
    about: 'master secret, 32 characters or more; empty: made and kept in the data dir (embedded)',
  },
  KURIR_API_RATE_PER_MINUTE: { default: '60', about: 'API requests a minute for each key (or IP without one)' },
  KURIR_HOSTS: { default: '', about: 'further host names served, comma-separated' },
  KURIR_TRUSTED_HOPS: { default: '0', about: 'reverse proxies in front whose X-Forwarded-For is believed' },
  KURIR_TLS_CERT: { default: '', about: 'TLS certificate file (PEM); with KURIR_TLS_KEY the HTTP port speaks HTTPS' },
  KURIR_TLS_KEY: { default: '', about: 'TLS key file (PEM)' },
  KURIR_MTA_CONNECTIONS: { default: '20', about: 'parallel SMTP connections to the sending server' },
  KURIR_LOG_LEVEL: { default: 'info', about: 'trace, debug, info, warn, error, fatal or silent' },
} as const;
type Name = keyof typeof VARIABLES;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads and checks the environment; throws ConfigError with all faults. */
export function readConfig(env: Env): Config {
  const read = new EnvReader<Name>(env, VARIABLES, ['KURIR_SECRET']);
  const engine = read.oneOf('KURIR_ENGINE', ['embedded', 'cluster']);
  const config: Config = {
    engine,
    dataDir: resolve(read.text('KURIR_DATA_DIR')),
    httpHost: readListenAddress(read),
    httpPort: read.port('KURIR_HTTP_PORT'),
    smtpPort: read.port('KURIR_SMTP_PORT'),
    smtpsPort: read.port('KURIR_SMTPS_PORT'),
    bouncePort: read.port('KURIR_BOUNCE_PORT'),
    sandboxPort: read.port('KURIR_SANDBOX_PORT'),
    mtaUrl: read.url('KURIR_MTA_URL', ['smtp:', 'smtps:'], ['ignoreTLS', 'tls.rejectUnauthorized']),
    publicUrl: read.url('KURIR_PUBLIC_URL', ['http:', 'https:']),
    evidenceWait: readEvidenceWait(read),
    reportPeers: read.hosts('KURIR_REPORT_PEERS'),
    secret: readSecret(read, engine),
    apiRatePerMinute: read.whole('KURIR_API_RATE_PER_MINUTE', 1, 100_000_000),
    hosts: read.hosts('KURIR_HOSTS'),
    trustedHops: read.whole('KURIR_TRUSTED_HOPS', 0, 100),
    tls: readTls(read),
    mtaConnections: read.whole('KURIR_MTA_CONNECTIONS', 1, 1_000),
    logLevel: read.oneOf('KURIR_LOG_LEVEL', LOG_LEVELS),
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

type Reader = EnvReader<Name>;

function readListenAddress(read: Reader): string {
  const host = read.text('KURIR_HTTP_HOST');
  if (!isIP(host) && host !== 'localhost') read.fault('KURIR_HTTP_HOST', 'must be an IP address or localhost');
  return host;
}

function readEvidenceWait(read: Reader): number {
  let wait = 0;
  try {
    wait = parseDuration(read.text('KURIR_EVIDENCE_WAIT'));
  } catch {
    // Out of range below, like a duration that is too short.
  }
  const fits = wait >= SECOND && wait <= 365 * DAY;
  if (!fits) read.fault('KURIR_EVIDENCE_WAIT', 'must be a duration from 1s to 365d, such as 30s, 10m, 23h or 4d');
  return wait;
}

function readSecret(read: Reader, engine: Config['engine']): string | null {
  const secret = read.text('KURIR_SECRET') || null;
  if (secret && secret.length < 32) read.fault('KURIR_SECRET', 'must have 32 characters or more');
  if (!secret && engine === 'cluster') read.fault('KURIR_SECRET', 'is required by the cluster engine');
  return secret;
}

function readTls(read: Reader): Config['tls'] {
  const [certFile, keyFile] = [read.text('KURIR_TLS_CERT'), read.text('KURIR_TLS_KEY')];
  if (certFile && keyFile) return { certFile, keyFile };
  const missing = certFile ? 'KURIR_TLS_KEY' : 'KURIR_TLS_CERT';
  if (certFile || keyFile) read.fault(missing, 'must be set too: certificate and key go together');
  return null;
}
