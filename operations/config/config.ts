import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { BounceRule } from '../../domain/bounces/bounce-rule';
import type { KnownClient } from '../../domain/engagement/known-clients';
import type { OidcSettings } from '../../domain/people/oidc-settings';
import type { DestinationFile } from '../../domain/destinations/rules-file';
import { DAY, SECOND } from '../../lib/clock';
import { readCluster, type ClusterConfig } from './cluster-config';
import { VARIABLES, type VariableName } from './config-variables';
import { type Env, EnvReader } from './env-reader';
import { readOwnUrls } from './own-urls';
import { readOidc } from './oidc-config';
import { defaultRoles, parseRoles, type Role } from './roles';
import { checkRoles } from './roles-check';
import { checkSandbox } from './sandbox-check';
import { ConfigError } from '../../lib/config-error';
import { readAlarms, type AlarmConfig } from './alarm-config';
import { readBounceRules } from './bounce-rules-file';
import { readDestinations } from './destinations-file';
import { readKnownClients } from './known-clients-file';
import { readSecretFiles } from './secret-files';
import { readSendingServers, type SendingServers } from './sending-servers';

/** The whole configuration, checked. No other code reads the environment. */
export interface Config extends SendingServers, AlarmConfig {
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
  /** Null: those of `tls`, or else a self-made certificate. */
  smtpTls: { certFile: string; keyFile: string } | null;
  /** Connections to the relay at a time in this process. */
  smtpConnections: { inAll: number; perAddress: number };
  /** Memory for mails that the relay receives and that are larger than 64 kB, bytes. */
  smtpMemory: number;
  bouncePort: number;
  /** Postfix's log file; null: it is not followed. */
  postfixLog: string | null;
  /** The operator's rules for reading refusals. */
  bounceRules: readonly BounceRule[];
  /** Rules of pacing by destination; null: there is none. */
  destinations: DestinationFile | null;
  /** DNS servers for MX records, `1.1.1.1` or `127.0.0.1:5353`; empty: the system's. Null: none is asked. */
  dns: string[] | null;
  /** Secret of the hook for sending servers; null: there is none. */
  hookSecret: string | null;
  sandboxPort: number;
  /** 0: no metrics. */
  metricsPort: number;
  /** Null: this process's own listener for delivery reports. */
  sandboxReports: { host: string; port: number } | null;
  /** The first start on an empty data dir makes the demo workspace (embedded only). */
  demo: boolean;
  /** Null: taken from the real host and port once they are bound. No trailing slash. */
  publicUrl: string | null;
  /** False: neither the dashboard nor the management API is served. */
  dashboard: boolean;
  /** Of a listener of its own; 0: it is served by the port of the REST API. */
  dashboardPort: number;
  /** Null: the port of its own, else the public URL. */
  dashboardUrl: string | null;
  /** Null: people sign in here only. */
  oidc: OidcSettings | null;
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
  /** Hosts that webhooks may reach though they are private, also by plain http: lower case, no port. */
  webhookPrivateHosts: string[];
  /** Webhook requests at a time in this process. */
  webhookLimits: { perEndpoint: number; perWorkspace: number; inAll: number };
  /** How long deliveries are kept, ms. */
  webhookLogKept: number;
  /** Share of hard bounces and complaints that pauses a campaign, percent; 0: none. */
  campaignBrakePercent: number;
  /** Hosts whose destinations get no `svc_mid`, nor those below them. */
  unmarkedHosts: string[];
  trustedHops: number;
  /** Agents and networks that the operator adds to the known ones. */
  knownClients: readonly KnownClient[];
  tls: { certFile: string; keyFile: string } | null;
  /** Parallel SMTP connections to each sending server. */
  mtaConnections: number;
  /** Memory for the bodies of requests that are larger than 64 kB, bytes. */
  bodyMemory: number;
  /** Memory for mails in hand that are larger than 128 kB, bytes. */
  mailMemory: number;
  /** The largest mail that is composed, bytes. */
  maxMail: number;
  logLevel: string;
  /** `auto`: text on a terminal, JSON elsewhere. */
  logFormat: (typeof LOG_FORMATS)[number];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
export const LOG_FORMATS = ['auto', 'text', 'json'] as const;

/** Variables that the command line overrides. */
export type Overrides = Partial<Record<VariableName, string>>;

/** What a fault says in place of a value that must not be shown. */
const HIDDEN = {
  KURIR_SECRET: 'is "..."',
  KURIR_HOOK_SECRET: 'is "..."',
  KURIR_ALARM_SECRET: 'is "..."',
  KURIR_OIDC_CLIENT_SECRET: 'is "..."',
  KAFKA_SASL_PASSWORD: 'is "..."',
} as const;

/** Reads and checks the environment, and the files that hold secrets. Throws ConfigError with all errors. */
export function readConfig(env: Env, overrides: Overrides = {}): Config {
  const secrets = readSecretFiles(env);
  // A value that could not be read is not there to be judged.
  if (secrets.faults.length > 0) throw new ConfigError(secrets.faults);
  const read = new EnvReader<VariableName>({ ...env, ...secrets.values, ...overrides }, VARIABLES, {
    ...HIDDEN,
    ...secrets.origins,
  });
  const engine = read.oneOf('KURIR_ENGINE', ['embedded', 'cluster']);
  const servers = readSendingServers(read);
  const { mtaUrl } = servers;
  const config: Config = {
    engine,
    roles: readRoles(read, mtaUrl),
    cluster: engine === 'cluster' ? readCluster(read) : null,
    dataDir: resolve(read.text('KURIR_DATA_DIR')),
    httpHost: readListenAddress(read),
    httpPort: read.port('KURIR_HTTP_PORT'),
    smtpPort: read.port('KURIR_SMTP_PORT'),
    smtpsPort: read.port('KURIR_SMTPS_PORT'),
    smtpTls: readTls(read, 'KURIR_SMTP_TLS_CERT', 'KURIR_SMTP_TLS_KEY'),
    smtpConnections: {
      inAll: read.whole('KURIR_SMTP_CONNECTIONS', 1, 100_000),
      perAddress: read.whole('KURIR_SMTP_CONNECTIONS_PER_ADDRESS', 1, 100_000),
    },
    smtpMemory: readMegabytes(read, 'KURIR_SMTP_MEMORY'),
    bouncePort: read.port('KURIR_BOUNCE_PORT'),
    ...readReportSettings(read, mtaUrl),
    sandboxPort: read.port('KURIR_SANDBOX_PORT'),
    metricsPort: read.port('KURIR_METRICS_PORT'),
    sandboxReports: read.hostPort('KURIR_SANDBOX_REPORTS'),
    ...servers,
    demo: readDemo(read, mtaUrl),
    ...readOwnUrls(read),
    dashboardPort: read.port('KURIR_DASHBOARD_PORT'),
    dashboard: read.oneOf('KURIR_DASHBOARD', ['true', 'false']) === 'true',
    oidc: readOidc(read),
    evidenceWait: read.duration('KURIR_EVIDENCE_WAIT', SECOND),
    reportPeers: read.hosts('KURIR_REPORT_PEERS'),
    secret: readSecret(read, engine),
    apiRatePerMinute: read.whole('KURIR_API_RATE_PER_MINUTE', 1, 100_000_000),
    hosts: read.hosts('KURIR_HOSTS'),
    webhookPrivateHosts: read.hosts('KURIR_WEBHOOK_PRIVATE_HOSTS'),
    webhookLimits: readWebhookLimits(read),
    webhookLogKept: read.duration('KURIR_WEBHOOK_LOG', DAY),
    campaignBrakePercent: read.whole('KURIR_CAMPAIGN_BRAKE_PERCENT', 0, 100),
    unmarkedHosts: read.hosts('KURIR_UNMARKED_HOSTS'),
    knownClients: readKnownClients(read),
    trustedHops: read.whole('KURIR_TRUSTED_HOPS', 0, 100),
    tls: readTls(read, 'KURIR_TLS_CERT', 'KURIR_TLS_KEY'),
    mtaConnections: read.whole('KURIR_MTA_CONNECTIONS', 1, 1_000),
    bodyMemory: readMegabytes(read, 'KURIR_BODY_MEMORY'),
    mailMemory: readMegabytes(read, 'KURIR_MAIL_MEMORY'),
    maxMail: readMegabytes(read, 'KURIR_MAX_MAIL'),
    ...readLogSettings(read),
  };
  const isPublicAllowed = read.oneOf('KURIR_SANDBOX_PUBLIC', ['false', 'true']) === 'true';
  const faults = [...read.faults, ...checkRoles(config), ...(isPublicAllowed ? [] : checkSandbox(config))];
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

function readDemo(read: Reader, mtaUrl: string | null): boolean {
  const wanted = read.text('KURIR_DEMO');
  if (!wanted) return mtaUrl === null;
  return read.oneOf('KURIR_DEMO', ['true', 'false']) === 'true';
}

function readListenAddress(read: Reader): string {
  const host = read.text('KURIR_HTTP_HOST');
  if (!isIP(host) && host !== 'localhost') read.fault('KURIR_HTTP_HOST', 'must be an IP address or localhost');
  return host;
}

function readSecret(read: Reader, engine: Config['engine']): string | null {
  const secret = read.text('KURIR_SECRET') || null;
  if (secret && secret.length < 32) read.fault('KURIR_SECRET', 'must have at least 32 characters');
  if (!secret && engine === 'cluster') read.fault('KURIR_SECRET', 'is required by the cluster engine');
  return secret;
}

const readLogSettings = (read: Reader): Pick<Config, 'logLevel' | 'logFormat'> => ({
  logLevel: read.oneOf('KURIR_LOG_LEVEL', LOG_LEVELS),
  logFormat: read.oneOf('KURIR_LOG_FORMAT', LOG_FORMATS),
});

type ReportSettings = Pick<Config, 'postfixLog' | 'bounceRules' | 'hookSecret' | 'destinations' | 'dns'> & AlarmConfig;

/** Settings of what tells of the fate of mail, and what follows from it. */
const readReportSettings = (read: Reader, mtaUrl: string | null): ReportSettings => ({
  postfixLog: readPostfixLog(read, mtaUrl),
  bounceRules: readOperatorRules(read),
  hookSecret: readHookSecret(read),
  destinations: readDestinations(read, mtaUrl),
  ...readAlarms(read),
  dns: read.text('KURIR_DNS') === 'off' ? null : read.nameServers('KURIR_DNS'),
});

function readPostfixLog(read: Reader, mtaUrl: string | null): string | null {
  const file = read.text('KURIR_POSTFIX_LOG');
  if (!file) return null;
  if (mtaUrl === null) read.fault('KURIR_POSTFIX_LOG', 'needs KURIR_MTA_URL: the Postfix that writes this log');
  return resolve(file);
}

const readWebhookLimits = (read: Reader): Config['webhookLimits'] => ({
  perEndpoint: read.whole('KURIR_WEBHOOKS_PER_ENDPOINT', 1, 1_000),
  perWorkspace: read.whole('KURIR_WEBHOOKS_PER_WORKSPACE', 1, 10_000),
  inAll: read.whole('KURIR_WEBHOOKS_IN_ALL', 1, 10_000),
});

function readHookSecret(read: Reader): string | null {
  const secret = read.text('KURIR_HOOK_SECRET') || null;
  if (secret !== null && !/^[\x21-\x7e]{8,4096}$/.test(secret)) {
    read.fault('KURIR_HOOK_SECRET', 'must have at least 8 ASCII characters without spaces');
  }
  return secret;
}

function readOperatorRules(read: Reader): readonly BounceRule[] {
  const file = read.text('KURIR_BOUNCE_RULES');
  if (!file) return [];
  const { rules, fault } = readBounceRules(file);
  if (fault) read.fault('KURIR_BOUNCE_RULES', fault);
  return rules;
}

/** Megabytes as bytes. Less than the largest request or mail is allowed: that one then passes alone. */
const readMegabytes = (read: Reader, name: VariableName): number => read.whole(name, 1, 1_000_000) * 1_000_000;

function readTls(read: Reader, cert: VariableName, key: VariableName): Config['tls'] {
  const [certFile, keyFile] = [read.text(cert), read.text(key)];
  if (certFile && keyFile) return { certFile, keyFile };
  const missing = certFile ? key : cert;
  if (certFile || keyFile) read.fault(missing, 'must be set too: certificate and key belong together');
  return null;
}
