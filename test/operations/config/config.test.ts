import { describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { type Config, readConfig } from '../../../operations/config/config';
import { SECRETS, VARIABLES, type VariableName } from '../../../operations/config/config-variables';
import type { ClusterConfig } from '../../../operations/config/cluster-config';
import { DAY, HOUR } from '../../../lib/clock';
import { faultsOf } from './faults-of';

const SECRET = 'correct-horse-battery-staple-0123456789';

/** The faults the environment is refused for; [] when it is accepted. */
describe('defaults', () => {
  const defaults: Config = {
    engine: 'embedded',
    roles: [
      'api',
      'smtp',
      'public',
      'dashboard',
      'throttle',
      'dispatch',
      'coins',
      'mta-feedback',
      'engagement',
      'webhooks',
      'conversions',
      'campaigns',
      'journeys',
      'timers',
      'sandbox',
    ],
    cluster: null,
    dataDir: resolve('data'),
    httpHost: '127.0.0.1',
    httpPort: 8080,
    smtpPort: 2587,
    smtpsPort: 2465,
    smtpTls: null,
    smtpConnections: { inAll: 2_000, perAddress: 50 },
    smtpMemory: 96_000_000,
    bouncePort: 2525,
    postfixLog: null,
    bounceRules: [],
    destinations: null,
    dns: [],
    alarms: { post: null, mail: null },
    blocklists: ['zen.spamhaus.org', 'bl.spamcop.net', 'psbl.surriel.com'],
    hookSecret: null,
    sandboxPort: 2526,
    metricsPort: 9464,
    sandboxReports: null,
    mtaUrl: null,
    mtaServers: [],
    mtaRoutes: [],
    demo: true,
    publicUrl: null,
    dashboardPort: 0,
    dashboardUrl: null,
    dashboard: true,
    oidc: null,
    evidenceWait: 4 * DAY,
    reportPeers: [],
    knownClients: [],
    secret: null,
    apiRatePerMinute: 60,
    hosts: [],
    webhookPrivateHosts: [],
    webhookLimits: { perEndpoint: 10, perWorkspace: 50, inAll: 500 },
    webhookLogKept: 30 * 24 * 3_600_000,
    campaignBrakePercent: 8,
    unmarkedHosts: [],
    trustedHops: 0,
    tls: null,
    mtaConnections: 20,
    bodyMemory: 96_000_000,
    mailMemory: 96_000_000,
    maxMail: 30_000_000,
    logLevel: 'info',
    logFormat: 'auto',
  };

  test('an empty environment is a complete configuration', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  test('a blank variable counts as unset', () => {
    const blank = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '  ']));
    expect(readConfig(blank)).toEqual(defaults);
  });

  test('with a sending server there is a demo workspace only on request', () => {
    expect(readConfig({ KURIR_MTA_URL: 'smtp://mta.example' }).demo).toBe(false);
    expect(readConfig({ KURIR_MTA_URL: 'smtp://mta.example', KURIR_DEMO: 'true' }).demo).toBe(true);
  });

  test('variables of others are left alone', () => {
    expect(readConfig({ PATH: '/bin', PORT: 'x' })).toEqual(defaults);
  });
});

const WITHOUT_SANDBOX: Config['roles'] = [
  'api',
  'smtp',
  'public',
  'dashboard',
  'throttle',
  'dispatch',
  'coins',
  'mta-feedback',
  'engagement',
  'webhooks',
  'conversions',
  'campaigns',
  'journeys',
  'timers',
];
const only = (url: string): Pick<Config, 'mtaUrl' | 'mtaServers'> => ({
  mtaUrl: url,
  mtaServers: [{ name: 'default', url }],
});
const REQUIRED = {
  KURIR_ENGINE: 'cluster',
  KURIR_SECRET: SECRET,
  KAFKA_BROKERS: 'k1.example:9092',
  MONGODB_URL: 'mongodb://m.example/?replicaSet=rs',
  REDIS_URL: 'redis://r.example',
};
const kafka = {
  brokers: ['k1.example:9092'],
  sasl: null,
  tls: null,
  prefix: 'kurir.',
  partitions: 12,
};
const mongo = { url: REQUIRED.MONGODB_URL, database: 'kurir' };

describe('each variable sets its part', () => {
  const SET: [VariableName, string, Partial<Config>][] = [
    ['KURIR_SANDBOX_REPORTS', 'feedback.example:2525', { sandboxReports: { host: 'feedback.example', port: 2525 } }],
    ['KURIR_SANDBOX_REPORTS', '[::1]:25', { sandboxReports: { host: '::1', port: 25 } }],
    ['KURIR_DATA_DIR', '/var/lib/kurir', { dataDir: '/var/lib/kurir' }],
    ['KURIR_HTTP_HOST', '::1', { httpHost: '::1' }],
    ['KURIR_HTTP_HOST', 'localhost', { httpHost: 'localhost' }],
    ['KURIR_HTTP_PORT', '0', { httpPort: 0 }],
    ['KURIR_SMTP_PORT', '587', { smtpPort: 587 }],
    ['KURIR_SMTPS_PORT', '465', { smtpsPort: 465 }],
    ['KURIR_METRICS_PORT', '0', { metricsPort: 0 }],
    ['KURIR_SMTP_CONNECTIONS', '10', { smtpConnections: { inAll: 10, perAddress: 50 } }],
    ['KURIR_SMTP_CONNECTIONS_PER_ADDRESS', '5', { smtpConnections: { inAll: 2_000, perAddress: 5 } }],
    ['KURIR_SMTP_MEMORY', '12', { smtpMemory: 12_000_000 }],
    ['KURIR_BOUNCE_PORT', '25', { bouncePort: 25 }],
    ['KURIR_SANDBOX_PORT', '65535', { sandboxPort: 65_535 }],
    ['KURIR_DASHBOARD', 'false', { dashboard: false }],
    ['KURIR_DASHBOARD_PORT', '8090', { dashboardPort: 8_090 }],
    ['KURIR_DASHBOARD_URL', 'https://app.toko.example/', { dashboardUrl: 'https://app.toko.example' }],
    ['KURIR_DEMO', 'true', { demo: true }],
    ['KURIR_DEMO', 'false', { demo: false }],
    [
      'KURIR_MTA_URL',
      'smtps://user:pass@mta.example:465/',
      { ...only('smtps://user:pass@mta.example:465'), demo: false, roles: WITHOUT_SANDBOX },
    ],
    [
      'KURIR_MTA_URL',
      'smtp://mta.example?tls.rejectUnauthorized=false',
      { ...only('smtp://mta.example?tls.rejectUnauthorized=false'), demo: false, roles: WITHOUT_SANDBOX },
    ],
    ['KURIR_PUBLIC_URL', 'https://mail.example/app//', { publicUrl: 'https://mail.example/app' }],
    ['KURIR_PUBLIC_URL', 'http://localhost:8080', { publicUrl: 'http://localhost:8080' }],
    ['KURIR_PUBLIC_URL', 'http://mail.localhost', { publicUrl: 'http://mail.localhost' }],
    ['KURIR_PUBLIC_URL', 'http://127.0.0.2:8080', { publicUrl: 'http://127.0.0.2:8080' }],
    ['KURIR_PUBLIC_URL', 'http://[::1]:8080', { publicUrl: 'http://[::1]:8080' }],
    ['KURIR_INSECURE_HTTP', 'true', {}],
    ['KURIR_SANDBOX_PUBLIC', 'true', {}],
    ['KURIR_EVIDENCE_WAIT', '36h', { evidenceWait: 36 * HOUR }],
    ['KURIR_REPORT_PEERS', ' MTA-1.example, 10.0.0.7 ,,::1', { reportPeers: ['mta-1.example', '10.0.0.7', '::1'] }],
    ['KURIR_SECRET', SECRET, { secret: SECRET }],
    ['KURIR_HOOK_SECRET', SECRET, { hookSecret: SECRET }],
    ['KURIR_API_RATE_PER_MINUTE', '100000000', { apiRatePerMinute: 100_000_000 }],
    [
      'KURIR_WEBHOOK_PRIVATE_HOSTS',
      'LocalHost, 10.0.0.7,fd00::1',
      { webhookPrivateHosts: ['localhost', '10.0.0.7', 'fd00::1'] },
    ],
    ['KURIR_HOSTS', 'api.example,Mail.Example', { hosts: ['api.example', 'mail.example'] }],
    ['KURIR_WEBHOOKS_PER_ENDPOINT', '3', { webhookLimits: { perEndpoint: 3, perWorkspace: 50, inAll: 500 } }],
    ['KURIR_WEBHOOKS_PER_WORKSPACE', '4', { webhookLimits: { perEndpoint: 10, perWorkspace: 4, inAll: 500 } }],
    ['KURIR_WEBHOOKS_IN_ALL', '5', { webhookLimits: { perEndpoint: 10, perWorkspace: 50, inAll: 5 } }],
    ['KURIR_WEBHOOK_LOG', '7d', { webhookLogKept: 7 * DAY }],
    ['KURIR_CAMPAIGN_BRAKE_PERCENT', '0', { campaignBrakePercent: 0 }],
    ['KURIR_UNMARKED_HOSTS', 'bank.example, Pay.example', { unmarkedHosts: ['bank.example', 'pay.example'] }],
    ['KURIR_TRUSTED_HOPS', '2', { trustedHops: 2 }],
    ['KURIR_MTA_CONNECTIONS', '1', { mtaConnections: 1 }],
    ['KURIR_BODY_MEMORY', '64', { bodyMemory: 64_000_000 }],
    ['KURIR_MAIL_MEMORY', '1', { mailMemory: 1_000_000 }],
    ['KURIR_MAX_MAIL', '5', { maxMail: 5_000_000 }],
    ['KURIR_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['KURIR_LOG_FORMAT', 'text', { logFormat: 'text' }],
  ];

  test.each(SET)('%s=%s', (name, value, part) => {
    const allowed = { KURIR_SANDBOX_PUBLIC: 'true' };
    const { destinations, ...config } = readConfig({ ...allowed, [name]: value });
    expect({ ...config, destinations: null }).toEqual({ ...readConfig({}), ...part });
    expect(destinations === null).toBe(config.mtaUrl === null);
  });

  test('the OpenID provider, together with what its claim gives', () => {
    const env = { KURIR_OIDC_ISSUER: 'https://login.example', KURIR_OIDC_CLIENT_ID: 'kurir' };
    const plain = { issuer: 'https://login.example', clientId: 'kurir', clientSecret: null, roleClaim: null };
    expect(readConfig(env).oidc).toEqual({ ...plain, grants: [], only: false });
    const roles = { KURIR_OIDC_ROLE_CLAIM: 'groups', KURIR_OIDC_ROLES: 'Admins=operator, shop=editor@3' };
    expect(readConfig({ ...env, ...roles, KURIR_OIDC_CLIENT_SECRET: 's', KURIR_OIDC_ONLY: 'true' }).oidc).toEqual({
      ...plain,
      clientSecret: 's',
      roleClaim: 'groups',
      only: true,
      grants: [
        { value: 'Admins', role: 'operator', workspaceId: null },
        { value: 'shop', role: 'editor', workspaceId: 3 },
      ],
    });
    const slash = 'https://login.example/application/o/kurir/';
    expect(readConfig({ ...env, KURIR_OIDC_ISSUER: slash }).oidc?.issuer).toBe(slash);
    expect(faultsOf({ ...env, KURIR_OIDC_ROLE_CLAIM: 'groups' })).toHaveLength(1);
    expect(faultsOf({ ...env, KURIR_OIDC_CLIENT_ID: '' })).toHaveLength(1);
    expect(faultsOf({ ...env, KURIR_OIDC_ISSUER: 'http://login.example' })).toHaveLength(1);
    expect(faultsOf({ ...env, KURIR_OIDC_ISSUER: 'login.example' })).toHaveLength(1);
  });

  test('the engine, together with everything it needs', () => {
    expect(readConfig(REQUIRED)).toEqual({
      ...readConfig({}),
      engine: 'cluster',
      secret: SECRET,
      cluster: { kafka, mongo, redisUrl: 'redis://r.example', upgradeWait: 60_000 },
    });
  });

  const SETS_OF_CLUSTER: [VariableName, string, Partial<ClusterConfig>][] = [
    ['KAFKA_BROKERS', 'k1:9092, [::1]:9093,', { kafka: { ...kafka, brokers: ['k1:9092', '[::1]:9093'] } }],
    ['KAFKA_TLS', 'true', { kafka: { ...kafka, tls: { caFile: null } } }],
    ['KURIR_KAFKA_PREFIX', 'shop-1.', { kafka: { ...kafka, prefix: 'shop-1.' } }],
    ['KURIR_PARTITIONS', '32', { kafka: { ...kafka, partitions: 32 } }],
    [
      'MONGODB_URL',
      'mongodb://u:p@a:1,b:2/kurir?replicaSet=rs',
      { mongo: { ...mongo, url: 'mongodb://u:p@a:1,b:2/kurir?replicaSet=rs' } },
    ],
    ['MONGODB_URL', 'mongodb+srv://m.example', { mongo: { ...mongo, url: 'mongodb+srv://m.example' } }],
    ['MONGODB_DATABASE', 'mail_2', { mongo: { ...mongo, database: 'mail_2' } }],
    ['KURIR_UPGRADE_WAIT', '30s', { upgradeWait: 30_000 }],
    ['REDIS_URL', 'rediss://:pass@r.example:6380/1', { redisUrl: 'rediss://:pass@r.example:6380/1' }],
  ];

  test.each(SETS_OF_CLUSTER)('on the cluster engine, %s=%s', (name, value, part) => {
    const { cluster } = readConfig({ ...REQUIRED, [name]: value });
    expect(cluster).toEqual({ kafka, mongo, redisUrl: 'redis://r.example', upgradeWait: 60_000, ...part });
  });

  test('the login to Kafka, and the authority its TLS is checked by', () => {
    const login = { KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' };
    const { cluster } = readConfig({ ...REQUIRED, ...login, KAFKA_TLS: 'true', KAFKA_TLS_CA: 'ca.pem' });
    expect(cluster?.kafka).toMatchObject({
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
      tls: { caFile: 'ca.pem' },
    });
  });

  test('servers of the cluster mean nothing to the embedded engine', () => {
    expect(readConfig({ KAFKA_BROKERS: 'nonsense', MONGODB_URL: 'x', REDIS_URL: 'y' })).toEqual(readConfig({}));
  });

  test('certificate and key, together', () => {
    expect(readConfig({ KURIR_SMTP_TLS_CERT: 'c.pem', KURIR_SMTP_TLS_KEY: 'd.pem' }).smtpTls).toEqual({
      certFile: 'c.pem',
      keyFile: 'd.pem',
    });
    expect(readConfig({ KURIR_TLS_CERT: 'a.pem', KURIR_TLS_KEY: 'b.pem' }).tls).toEqual({
      certFile: 'a.pem',
      keyFile: 'b.pem',
    });
  });

  test('KURIR_POSTFIX_LOG names the log of the server of KURIR_MTA_URL', () => {
    const log = { KURIR_POSTFIX_LOG: '/var/log/mail.log' };
    expect(readConfig({ ...log, KURIR_MTA_URL: 'smtp://127.0.0.1:25' }).postfixLog).toBe('/var/log/mail.log');
    expect(() => readConfig(log)).toThrow('KURIR_POSTFIX_LOG');
  });

  test('no variable is left out of these tests', () => {
    const names = [...SET, ...SETS_OF_CLUSTER].map(([name]) => name);
    const files = ['KURIR_TLS_CERT', 'KURIR_TLS_KEY', 'KURIR_SMTP_TLS_CERT', 'KURIR_SMTP_TLS_KEY', 'KAFKA_TLS_CA'];
    const rules = 'KURIR_BOUNCE_RULES'; // test/operations/config/bounce-rules-file.test.ts
    const together = ['KURIR_ENGINE', 'KURIR_ROLES', 'KURIR_POSTFIX_LOG', rules, ...files];
    const login = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];
    const secrets = SECRETS.map((name) => `${name}_FILE`); // test/operations/config/secret-files.test.ts
    const ownFile = ['KURIR_KNOWN_CLIENTS', 'KURIR_DESTINATION_RULES', 'KURIR_DNS', 'KURIR_MTA_ROUTES']; // in test files of their own
    // alarm-config.test.ts
    const alarms = ['ALARM_URL', 'ALARM_SECRET', 'ALARM_MAIL', 'ALARM_SENDER', 'BLOCKLISTS'].map((of) => `KURIR_${of}`);
    const provider = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'ROLE_CLAIM', 'ROLES', 'ONLY'].map(
      (name) => `KURIR_OIDC_${name}`,
    );
    const covered = new Set<string>([...names, ...together, ...login, ...provider, ...alarms, ...secrets, ...ownFile]);
    expect([...covered].sort()).toEqual(Object.keys(VARIABLES).sort());
  });
});

describe('faults', () => {
  test.each([
    ['KURIR_ENGINE', 'postgres', 'must be one of embedded, cluster'],
    ['KURIR_HTTP_HOST', 'mail.example', 'must be an IP address or localhost'],
    ['KURIR_HTTP_PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['KURIR_SMTP_PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['KURIR_SMTPS_PORT', '4.5', 'must be a whole number from 0 to 65535'],
    ['KURIR_BOUNCE_PORT', '0x19', 'must be a whole number from 0 to 65535'],
    ['KURIR_SANDBOX_PORT', '1e3', 'must be a whole number from 0 to 65535'],
    ['KURIR_DASHBOARD', 'no', 'must be one of true, false'],
    ['KURIR_DASHBOARD_PORT', '70000', 'must be a whole number from 0 to 65535'],
    ['KURIR_DASHBOARD_URL', 'https://toko.example/app', 'must not have a path: the dashboard is served at /app'],
    ['KURIR_OIDC_ONLY', 'yes', 'must be one of false, true'],
    ['KURIR_OIDC_ONLY', 'true', 'needs KURIR_OIDC_ISSUER'],
    [
      'KURIR_OIDC_ROLES',
      'shop=king',
      'must be a list of value=operator and value=role@workspace, such as shop=editor@3',
    ],
    ['KURIR_DEMO', 'yes', 'must be one of true, false'],
    ['KURIR_MTA_URL', 'mta.example:25', 'must be a URL that starts with smtp:// or smtps://'],
    ['KURIR_MTA_URL', 'smtp://', 'must be a URL that starts with smtp:// or smtps://'],
    [
      'KURIR_MTA_URL',
      'smtp://mta.example?pool=1',
      'may only have the parameters ignoreTLS, pipelining, tls.rejectUnauthorized',
    ],
    ['KURIR_PUBLIC_URL', 'mail.example', 'must be a URL that starts with http:// or https://'],
    ['KURIR_PUBLIC_URL', 'https://mail.example/#top', 'must be a URL without query and fragment'],
    ...['http://mail.example', 'http://10.0.0.7:8080', 'http://localhost.example', 'http://127.example'].map((url) => [
      'KURIR_PUBLIC_URL',
      url,
      'must be https://, because its host is not loopback; set KURIR_INSECURE_HTTP=true to allow http:// anyway',
    ]),
    ['KURIR_INSECURE_HTTP', 'yes', 'must be one of false, true'],
    ['KURIR_EVIDENCE_WAIT', '4 days', 'must be a duration from 1s to 365d, such as 30s, 10m, 23h or 4d'],
    ['KURIR_EVIDENCE_WAIT', '0d', 'must be a duration from 1s to 365d, such as 30s, 10m, 23h or 4d'],
    ['KURIR_EVIDENCE_WAIT', '366d', 'must be a duration from 1s to 365d, such as 30s, 10m, 23h or 4d'],
    [
      'KURIR_REPORT_PEERS',
      'smtp://mta.example',
      'must be host names or IP addresses, comma-separated, without scheme or port',
    ],
    ['KURIR_API_RATE_PER_MINUTE', '0', 'must be a whole number from 1 to 100000000'],
    ['KURIR_HOSTS', 'api.example:8080', 'must be host names or IP addresses, comma-separated, without scheme or port'],
    ['KURIR_CAMPAIGN_BRAKE_PERCENT', '101', 'must be a whole number from 0 to 100'],
    ['KURIR_TRUSTED_HOPS', '101', 'must be a whole number from 0 to 100'],
    ['KURIR_MTA_CONNECTIONS', '0', 'must be a whole number from 1 to 1000'],
    ['KURIR_LOG_FORMAT', 'pretty', 'must be one of auto, text, json'],
    ['KURIR_LOG_LEVEL', 'verbose', 'must be one of trace, debug, info, warn, error, fatal, silent'],
  ])('%s=%s is refused: %s', (name, value, why) => {
    expect(faultsOf({ KURIR_SANDBOX_PUBLIC: 'true', [name]: value })).toEqual([`${name} ${why} (is "${value}").`]);
  });

  describe('the sandbox, where others reach it', () => {
    const refused = (name: string, value: string) => [
      expect.stringMatching(new RegExp(`^${name} is .*${value}.*KURIR_MTA_URL.*KURIR_SANDBOX_PUBLIC=true`)) as unknown,
    ];

    // spec: docs/contract.md#start-page: others do not reach the sandbox unless it is allowed
    test.each(['0.0.0.0', '::', '192.0.2.7', '2001:db8::1'])('does not start listening on %s', (host) => {
      expect(faultsOf({ KURIR_HTTP_HOST: host })).toEqual(refused('KURIR_HTTP_HOST', host));
      expect(faultsOf({ KURIR_HTTP_HOST: host, KURIR_SANDBOX_PUBLIC: 'true' })).toEqual([]);
      expect(faultsOf({ KURIR_HTTP_HOST: host, KURIR_MTA_URL: 'smtp://127.0.0.1' })).toEqual([]);
    });

    test('does not start behind a public address', () => {
      const behind = { KURIR_PUBLIC_URL: 'https://mail.example' };
      expect(faultsOf(behind)).toEqual(refused('KURIR_PUBLIC_URL', 'mail.example'));
      expect(faultsOf({ ...behind, KURIR_SANDBOX_PUBLIC: 'true' })).toEqual([]);
      expect(faultsOf({ ...behind, KURIR_MTA_URL: 'smtp://127.0.0.1' })).toEqual([]);
    });

    test.each(['127.0.0.1', '127.0.0.9', '::1', 'localhost'])('starts on %s', (host) => {
      expect(faultsOf({ KURIR_HTTP_HOST: host, KURIR_PUBLIC_URL: 'http://localhost:8080' })).toEqual([]);
    });

    test('on a cluster: only the process that has it', () => {
      const api = { ...REQUIRED, KURIR_HTTP_HOST: '0.0.0.0', KURIR_ROLES: 'api,public' };
      expect(faultsOf(api)).toEqual([]);
      const sandbox = { ...api, KURIR_ROLES: 'sandbox,mta-feedback' };
      expect(faultsOf(sandbox)).toEqual(refused('KURIR_HTTP_HOST', '0.0.0.0'));
    });
  });

  test('KURIR_INSECURE_HTTP=true allows http for every host', () => {
    const config = readConfig({
      KURIR_PUBLIC_URL: 'http://10.0.0.7:8080',
      KURIR_INSECURE_HTTP: 'true',
      KURIR_SANDBOX_PUBLIC: 'true',
    });
    expect(config.publicUrl).toBe('http://10.0.0.7:8080');
  });

  test('a certificate without its key, and a key without its certificate', () => {
    const why = 'must be set too: certificate and key belong together (is "").';
    expect(faultsOf({ KURIR_TLS_CERT: 'a.pem' })).toEqual([`KURIR_TLS_KEY ${why}`]);
    expect(faultsOf({ KURIR_TLS_KEY: 'a.pem' })).toEqual([`KURIR_TLS_CERT ${why}`]);
    expect(faultsOf({ KURIR_SMTP_TLS_KEY: 'a.pem' })).toEqual([`KURIR_SMTP_TLS_CERT ${why}`]);
  });

  test('the cluster engine needs a secret and its servers', () => {
    const why = 'is required by the cluster engine';
    expect(faultsOf({ KURIR_ENGINE: 'cluster' })).toEqual([
      `KAFKA_BROKERS ${why} (is "").`,
      `MONGODB_URL ${why} (is "").`,
      `REDIS_URL ${why} (is "").`,
      `KURIR_SECRET ${why} (is "...").`,
    ]);
  });

  test.each([
    ['KAFKA_BROKERS', 'k1', 'must be host:port, comma-separated'],
    ['KAFKA_BROKERS', 'k1:9092,k2:0', 'must be host:port, comma-separated'],
    ['KAFKA_BROKERS', ',', 'must be host:port, comma-separated'],
    ['KAFKA_SASL_MECHANISM', 'kerberos', 'must be one of plain, scram-sha-256, scram-sha-512'],
    ['KAFKA_SASL_USERNAME', '', 'must be set too: KAFKA_SASL_MECHANISM requires a login'],
    ['KAFKA_TLS', 'yes', 'must be one of false, true'],
    ['KAFKA_TLS_CA', 'ca.pem', 'may only be set with KAFKA_TLS=true'],
    ['KURIR_KAFKA_PREFIX', 'kurir/', 'must be 1 to 100 letters, digits, dots, dashes or underscores'],
    ['KURIR_PARTITIONS', '1', 'must be a whole number from 2 to 1000'],
    ['KURIR_PARTITIONS', '1001', 'must be a whole number from 2 to 1000'],
    ['MONGODB_URL', 'mongodb://', 'must be a URL that starts with mongodb:// or mongodb+srv:// and names a host'],
    ['MONGODB_URL', 'm.example', 'must be a URL that starts with mongodb:// or mongodb+srv:// and names a host'],
    ['MONGODB_DATABASE', 'a.b', 'must be 1 to 38 letters, digits, dashes or underscores'],
    ['REDIS_URL', 'r.example:6379', 'must be a URL that starts with redis:// or rediss://'],
  ])('on the cluster engine, %s=%s is refused: %s', (name, value, why) => {
    const login = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' };
    expect(faultsOf({ ...REQUIRED, ...login, [name]: value })).toEqual([`${name} ${why} (is "${value}").`]);
  });

  test('a login to Kafka without its mechanism', () => {
    const why = 'must be set too: it says how the user name and password are used (is "").';
    expect(faultsOf({ ...REQUIRED, KAFKA_SASL_PASSWORD: 'p' })).toEqual([`KAFKA_SASL_MECHANISM ${why}`]);
  });

  test.each(['feedback', 'feedback:x', 'feedback:70000', 'smtp://feedback:25'])(
    'KURIR_SANDBOX_REPORTS=%s is no host:port',
    (value) => {
      expect(faultsOf({ KURIR_SANDBOX_REPORTS: value })).toEqual([
        `KURIR_SANDBOX_REPORTS must be host:port (is "${value}").`,
      ]);
    },
  );

  test('all faults are listed at once, in the message too', () => {
    const env = { KURIR_HTTP_PORT: 'x', KURIR_LOG_LEVEL: 'loud', KURIR_EVIDENCE_WAIT: 'soon', KURIR_SECRET: 'short' };
    const faults = faultsOf(env);
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual(Object.keys(env).sort());
    for (const fault of faults) expect(() => readConfig(env)).toThrow(fault);
  });
});

describe('secrets', () => {
  test('the master secret is never echoed', () => {
    expect(faultsOf({ KURIR_HOOK_SECRET: 'hunter2' })).toEqual([
      'KURIR_HOOK_SECRET must have at least 8 ASCII characters without spaces (is "...").',
    ]);
    const [fault] = faultsOf({ KURIR_SECRET: 'hunter2' });
    expect(fault).toBe('KURIR_SECRET must have at least 32 characters (is "...").');
  });

  test('a password for Kafka is never echoed', () => {
    const faults = faultsOf({ ...REQUIRED, KAFKA_SASL_PASSWORD: 'hunter2', KAFKA_SASL_MECHANISM: 'kerberos' });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });

  test('passwords in the URLs of servers are never echoed', () => {
    const urls = {
      MONGODB_URL: 'mongodb+srv://user:hunter2@m.example/#x?tlsCertificateKeyFilePassword=hunter3&w=1',
      REDIS_URL: 'redis://:hunter2@r.example?password=hunter3',
    };
    const faults = faultsOf({ ...REQUIRED, ...urls });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toMatch(/hunter/);
    expect(faults.join()).toContain('mongodb+srv://...@m.example');
  });

  test('the login in a URL is never echoed', () => {
    const [fault] = faultsOf({ KURIR_MTA_URL: 'https://user:hunter2@mta.example' });
    expect(fault).toContain('(is "https://...@mta.example")');
    expect(faultsOf({ KURIR_MTA_URL: 'smtp://u:hunt/er@2@mta.example:99999' }).join()).not.toMatch(/hunt|er@2/);
  });
});
