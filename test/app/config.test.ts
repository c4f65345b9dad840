import { describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { type Config, ConfigError, VARIABLES, readConfig } from '../../app/config';
import { DAY, HOUR } from '../../domain/clock';

const SECRET = 'correct-horse-battery-staple-0123456789';

/** The faults the environment is refused for; [] when it is accepted. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('defaults', () => {
  const defaults: Config = {
    engine: 'embedded',
    dataDir: resolve('data'),
    httpHost: '127.0.0.1',
    httpPort: 8080,
    smtpPort: 2587,
    smtpsPort: 2465,
    bouncePort: 2525,
    sandboxPort: 2526,
    mtaUrl: null,
    publicUrl: null,
    evidenceWait: 4 * DAY,
    reportPeers: [],
    secret: null,
    apiRatePerMinute: 60,
    hosts: [],
    trustedHops: 0,
    tls: null,
    mtaConnections: 20,
    logLevel: 'info',
  };

  test('an empty environment is a complete configuration', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  test('a blank variable counts as unset', () => {
    const blank = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '  ']));
    expect(readConfig(blank)).toEqual(defaults);
  });

  test('variables of others are left alone', () => {
    expect(readConfig({ PATH: '/bin', PORT: 'x' })).toEqual(defaults);
  });
});

describe('each variable sets its part', () => {
  const SET: [keyof typeof VARIABLES, string, Partial<Config>][] = [
    ['KURIR_DATA_DIR', '/var/lib/kurir', { dataDir: '/var/lib/kurir' }],
    ['KURIR_HTTP_HOST', '::1', { httpHost: '::1' }],
    ['KURIR_HTTP_HOST', 'localhost', { httpHost: 'localhost' }],
    ['KURIR_HTTP_PORT', '0', { httpPort: 0 }],
    ['KURIR_SMTP_PORT', '587', { smtpPort: 587 }],
    ['KURIR_SMTPS_PORT', '465', { smtpsPort: 465 }],
    ['KURIR_BOUNCE_PORT', '25', { bouncePort: 25 }],
    ['KURIR_SANDBOX_PORT', '65535', { sandboxPort: 65_535 }],
    ['KURIR_MTA_URL', 'smtps://user:pass@mta.example:465/', { mtaUrl: 'smtps://user:pass@mta.example:465' }],
    [
      'KURIR_MTA_URL',
      'smtp://mta.example?tls.rejectUnauthorized=false',
      { mtaUrl: 'smtp://mta.example?tls.rejectUnauthorized=false' },
    ],
    ['KURIR_PUBLIC_URL', 'https://mail.example/app//', { publicUrl: 'https://mail.example/app' }],
    ['KURIR_EVIDENCE_WAIT', '36h', { evidenceWait: 36 * HOUR }],
    ['KURIR_REPORT_PEERS', ' MTA-1.example, 10.0.0.7 ,,::1', { reportPeers: ['mta-1.example', '10.0.0.7', '::1'] }],
    ['KURIR_SECRET', SECRET, { secret: SECRET }],
    ['KURIR_API_RATE_PER_MINUTE', '100000000', { apiRatePerMinute: 100_000_000 }],
    ['KURIR_HOSTS', 'api.example,Mail.Example', { hosts: ['api.example', 'mail.example'] }],
    ['KURIR_TRUSTED_HOPS', '2', { trustedHops: 2 }],
    ['KURIR_MTA_CONNECTIONS', '1', { mtaConnections: 1 }],
    ['KURIR_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ];

  test.each(SET)('%s=%s', (name, value, part) => {
    expect(readConfig({ [name]: value })).toEqual({ ...readConfig({}), ...part });
  });

  test('the engine, together with the secret it needs', () => {
    expect(readConfig({ KURIR_ENGINE: 'cluster', KURIR_SECRET: SECRET })).toMatchObject({
      engine: 'cluster',
      secret: SECRET,
    });
  });

  test('certificate and key, together', () => {
    expect(readConfig({ KURIR_TLS_CERT: 'a.pem', KURIR_TLS_KEY: 'b.pem' }).tls).toEqual({
      certFile: 'a.pem',
      keyFile: 'b.pem',
    });
  });

  test('no variable is left out of these tests', () => {
    const covered = new Set<string>([...SET.map(([name]) => name), 'KURIR_ENGINE', 'KURIR_TLS_CERT', 'KURIR_TLS_KEY']);
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
    ['KURIR_MTA_URL', 'mta.example:25', 'must be a URL that starts with smtp:// or smtps://'],
    ['KURIR_MTA_URL', 'smtp://', 'must be a URL that starts with smtp:// or smtps://'],
    ['KURIR_MTA_URL', 'smtp://mta.example?pool=1', 'may have no parameters but ignoreTLS and tls.rejectUnauthorized'],
    ['KURIR_PUBLIC_URL', 'mail.example', 'must be a URL that starts with http:// or https://'],
    ['KURIR_PUBLIC_URL', 'https://mail.example/#top', 'must be a URL without query and fragment'],
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
    ['KURIR_TRUSTED_HOPS', '101', 'must be a whole number from 0 to 100'],
    ['KURIR_MTA_CONNECTIONS', '0', 'must be a whole number from 1 to 1000'],
    ['KURIR_LOG_LEVEL', 'verbose', 'must be one of trace, debug, info, warn, error, fatal, silent'],
  ])('%s=%s is refused: %s', (name, value, why) => {
    expect(faultsOf({ [name]: value })).toEqual([`${name} ${why} (is "${value}").`]);
  });

  test('a certificate without its key, and a key without its certificate', () => {
    const why = 'must be set too: certificate and key go together (is "").';
    expect(faultsOf({ KURIR_TLS_CERT: 'a.pem' })).toEqual([`KURIR_TLS_KEY ${why}`]);
    expect(faultsOf({ KURIR_TLS_KEY: 'a.pem' })).toEqual([`KURIR_TLS_CERT ${why}`]);
  });

  test('the cluster engine needs a secret', () => {
    expect(faultsOf({ KURIR_ENGINE: 'cluster' })).toEqual([
      'KURIR_SECRET is required by the cluster engine (is "...").',
    ]);
  });

  test('all faults are listed at once, in the message too', () => {
    const env = { KURIR_HTTP_PORT: 'x', KURIR_LOG_LEVEL: 'loud', KURIR_EVIDENCE_WAIT: 'soon', KURIR_SECRET: 'short' };
    const faults = faultsOf(env);
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual(Object.keys(env).sort());
    for (const fault of faults) expect(() => readConfig(env)).toThrow(fault);
  });
});

describe('secrets', () => {
  test('the master secret is never echoed', () => {
    const [fault] = faultsOf({ KURIR_SECRET: 'hunter2' });
    expect(fault).toBe('KURIR_SECRET must have 32 characters or more (is "...").');
  });

  test('the login in a URL is never echoed', () => {
    const [fault] = faultsOf({ KURIR_MTA_URL: 'https://user:hunter2@mta.example' });
    expect(fault).toContain('(is "https://...@mta.example")');
    expect(faultsOf({ KURIR_MTA_URL: 'smtp://u:hunt/er@2@mta.example:99999' }).join()).not.toMatch(/hunt|er@2/);
  });
});
