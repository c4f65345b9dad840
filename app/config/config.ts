import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { DAY, SECOND } from '../../lib/clock';
import { parseDuration } from '../../lib/duration';
import { readUrl } from '../../lib/read-url';
import { readCluster, type ClusterConfig } from './cluster-config';
import { VARIABLES, type VariableName } from './config-variables';
import { type Env, EnvReader } from './env-reader';
import { isLoopbackName } from './origin';
import { defaultRoles, parseRoles, type Role } from './roles';
import { checkRoles } from './roles-check';

/** The whole configuration, checked. No other code reads the environment. */
export interface Config {
  engine: 'embedded' | 'cluster';
  /** The roles of this process. */
  roles: Role[];
  /** Null on the embedded engine. */
  cluster: ClusterConfig | null;
  dataDir: string;
  httpHost: string;
  httpPort: number;
  smtpPort: number;
  smtpsPort: number;
  bouncePort: number;
  sandboxPort: number;
  /** Null: this process's own listener for delivery reports. */
  sandboxReports: { host: string; port: number } | null;
  /** Null: the sandbox inside the process. */
  mtaUrl: string | null;
  /** Null: taken from the real host and port once they are bound. No trailing slash. */
  publicUrl: string | null;
  /** ms (docs/architecture.md#the-fence-and-evidence) */
  evidenceWait: number;
  /**
   * Addresses or names whose delivery reports count (docs/architecture.md#feedback), besides loopback and the host of
   * the MTA.
   */
  reportPeers: string[];
  /** Null: created and kept in the data dir (embedded only). */
  secret: string | null;
  apiRatePerMinute: number;
  /** Host names served besides that of the public URL: lower case, no port. */
  hosts: string[];
  trustedHops: number;
  tls: { certFile: string; keyFile: string } | null;
  /** Parallel SMTP connections to the sending server. */
  mtaConnections: number;
  /** Memory for the bodies of requests that are larger than 64 kB, bytes. */
  bodyMemory: number;
  /** Memory for mails in hand that are larger than 128 kB, bytes. */
  mailMemory: number;
  logLevel: string;
}

/** All errors of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`Configuration: ${faults.join(' ')}`);
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Variables that the command line overrides. */
export type Overrides = Partial<Record<VariableName, string>>;

/** Reads and checks the environment. Throws ConfigError with all errors. */
export function readConfig(env: Env, overrides: Overrides = {}): Config {
  const read = new EnvReader<VariableName>({ ...env, ...overrides }, VARIABLES, [
    'KURIR_SECRET',
    'KAFKA_SASL_PASSWORD',
  ]);
  const engine = read.oneOf('KURIR_ENGINE', ['embedded', 'cluster']);
  const mtaUrl = read.url('KURIR_MTA_URL', ['smtp:', 'smtps:'], ['ignoreTLS', 'pipelining', 'tls.rejectUnauthorized']);
  const config: Config = {
    engine,
    roles: readRoles(read, mtaUrl),
    cluster: engine === 'cluster' ? readCluster(read) : null,
    dataDir: resolve(read.text('KURIR_DATA_DIR')),
    httpHost: readListenAddress(read),
    httpPort: read.port('KURIR_HTTP_PORT'),
    smtpPort: read.port('KURIR_SMTP_PORT'),
    smtpsPort: read.port('KURIR_SMTPS_PORT'),
    bouncePort: read.port('KURIR_BOUNCE_PORT'),
    sandboxPort: read.port('KURIR_SANDBOX_PORT'),
    sandboxReports: read.hostPort('KURIR_SANDBOX_REPORTS'),
    mtaUrl,
    publicUrl: readPublicUrl(read),
    evidenceWait: readEvidenceWait(read),
    reportPeers: read.hosts('KURIR_REPORT_PEERS'),
    secret: readSecret(read, engine),
    apiRatePerMinute: read.whole('KURIR_API_RATE_PER_MINUTE', 1, 100_000_000),
    hosts: read.hosts('KURIR_HOSTS'),
    trustedHops: read.whole('KURIR_TRUSTED_HOPS', 0, 100),
    tls: readTls(read),
    mtaConnections: read.whole('KURIR_MTA_CONNECTIONS', 1, 1_000),
    bodyMemory: readMegabytes(read, 'KURIR_BODY_MEMORY'),
    mailMemory: readMegabytes(read, 'KURIR_MAIL_MEMORY'),
    logLevel: read.oneOf('KURIR_LOG_LEVEL', LOG_LEVELS),
  };
  const faults = [...read.faults, ...checkRoles(config)];
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

type Reader = EnvReader<VariableName>;

function readRoles(read: Reader, mtaUrl: string | null): Role[] {
  const text = read.text('KURIR_ROLES');
  const parsed = text ? parseRoles(text) : { roles: defaultRoles(mtaUrl) };
  if ('roles' in parsed) return parsed.roles;
  read.fault('KURIR_ROLES', `(or --roles) ${parsed.fault}`);
  return defaultRoles(mtaUrl);
}

function readListenAddress(read: Reader): string {
  const host = read.text('KURIR_HTTP_HOST');
  if (!isIP(host) && host !== 'localhost') read.fault('KURIR_HTTP_HOST', 'must be an IP address or localhost');
  return host;
}

/** Links with the personal data of recipients, and API keys, must not cross a network in the clear. */
function readPublicUrl(read: Reader): string | null {
  const isInsecureAllowed = read.oneOf('KURIR_INSECURE_HTTP', ['false', 'true']) === 'true';
  const text = read.url('KURIR_PUBLIC_URL', ['http:', 'https:']);
  const url = text === null ? null : readUrl(text);
  if (url?.protocol === 'http:' && !isLoopbackName(url.hostname) && !isInsecureAllowed) {
    read.fault(
      'KURIR_PUBLIC_URL',
      'must be https://, since its host is not loopback; KURIR_INSECURE_HTTP=true allows http:// all the same',
    );
  }
  return text;
}

function readEvidenceWait(read: Reader): number {
  let wait = 0;
  try {
    wait = parseDuration(read.text('KURIR_EVIDENCE_WAIT'));
  } catch {
    // Out of range; rejected below like a duration that is too short.
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

/** Megabytes as bytes. Less than the largest request or mail is allowed: that one then passes alone. */
const readMegabytes = (read: Reader, name: VariableName): number => read.whole(name, 1, 1_000_000) * 1_000_000;

function readTls(read: Reader): Config['tls'] {
  const [certFile, keyFile] = [read.text('KURIR_TLS_CERT'), read.text('KURIR_TLS_KEY')];
  if (certFile && keyFile) return { certFile, keyFile };
  const missing = certFile ? 'KURIR_TLS_KEY' : 'KURIR_TLS_CERT';
  if (certFile || keyFile) read.fault(missing, 'must be set too: certificate and key go together');
  return null;
}
