import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { agreedSettings, differencesBetween, dispatches } from '../../../operations/processes/agreed-settings';
import { readConfig } from '../../../operations/config/config';
import { BUILT_IN_FILE } from '../../../domain/destinations/destination-rules';

const SECRET = 'a master secret for tests only, 32+';
const ENV = {
  KURIR_ENGINE: 'cluster',
  KURIR_SECRET: SECRET,
  KAFKA_BROKERS: 'k:9092',
  MONGODB_URL: 'mongodb://user:mongo-pass@m/?replicaSet=rs0',
  REDIS_URL: 'redis://:redis-pass@r:6379',
  KURIR_MTA_URL: 'smtp://mailer:mta-pass@mta.example:587',
  KURIR_PUBLIC_URL: 'https://mail.example',
};
const FACTS = { publicUrl: 'https://mail.example', secretCheck: 'abcdef0123456789abcdef' };
const settings = (env: Record<string, string>) => agreedSettings(readConfig({ ...ENV, ...env }), FACTS);

describe('the settings in which processes must agree', () => {
  it('hold no secret: the master secret as a short fingerprint, the sending server without its login', () => {
    const all = settings({});
    const text = JSON.stringify(all);
    for (const secret of [SECRET, 'mta-pass', 'mailer', 'mongo-pass', 'redis-pass', FACTS.secretCheck]) {
      expect(text).not.toContain(secret);
    }
    expect(all).toMatchObject({
      KURIR_SECRET: 'fingerprint abcdef012345',
      KURIR_MTA_URL: 'smtp://mta.example:587',
      KURIR_PUBLIC_URL: 'https://mail.example',
      KURIR_EVIDENCE_WAIT: '4d',
      KURIR_KAFKA_PREFIX: 'kurir.',
      KURIR_REPORT_PEERS: 'none',
      KURIR_MTA_ROUTES: 'none',
      KURIR_API_RATE_PER_MINUTE: '60',
      KURIR_CAMPAIGN_BRAKE_PERCENT: '8',
    });
  });

  it('tell which processes hand mail over', () => {
    const shown = (roles: string) => ({ name: roles, settings: settings({ KURIR_ROLES: roles }), skew: 0 });
    const found = ['api', 'mta-feedback,timers', 'dispatch', 'throttle,dispatch'].map(shown).filter(dispatches);
    expect(found.map(({ name }) => name)).toEqual(['dispatch', 'throttle,dispatch']);
  });

  it('name each of several sending servers, and which mail goes over them', () => {
    const KURIR_MTA_URL = 'main=smtp://u:first-pass@a.example warm=smtps://u:other-pass@b.example';
    const all = settings({ KURIR_MTA_URL, KURIR_MTA_ROUTES: 'lane:campaign=warm,workspace:3=main' });
    expect(all).toMatchObject({
      KURIR_MTA_URL: 'main=smtp://a.example warm=smtps://b.example',
      KURIR_MTA_ROUTES: 'lane:campaign=warm workspace:3=main',
    });
    expect(JSON.stringify(all)).not.toContain('pass');
  });

  it('tell where alarms go, the URL and its secret as a fingerprint', () => {
    const alarms = (secret: string) =>
      settings({
        KURIR_ALARM_URL: 'https://hooks.example/T0/key',
        KURIR_ALARM_SECRET: secret,
        KURIR_ALARM_MAIL: 'ops@perusahaan.test',
        KURIR_ALARM_SENDER: 'mail.test',
      });
    const one = alarms('the-first-alarm-secret');
    expect(one.KURIR_ALARM_URL).toMatch(/^fingerprint [0-9a-f]{12}$/);
    expect(one.KURIR_ALARM_MAIL).toBe('ops@perusahaan.test from mail.test');
    expect(alarms('another-alarm-secret').KURIR_ALARM_URL).not.toBe(one.KURIR_ALARM_URL);
    expect(settings({ KURIR_BLOCKLISTS: 'b.test,a.test' })).toMatchObject({
      KURIR_ALARM_URL: 'none',
      KURIR_ALARM_MAIL: 'none',
      KURIR_BLOCKLISTS: 'a.test,b.test',
    });
  });

  it('are those that the roles of a process use', () => {
    expect(Object.keys(settings({ KURIR_ROLES: 'api' })).sort()).toEqual([
      'KURIR_API_RATE_PER_MINUTE',
      'KURIR_KAFKA_PREFIX',
      'KURIR_SECRET',
    ]);
    expect(Object.keys(settings({ KURIR_ROLES: 'campaigns' })).sort()).toEqual([
      'KURIR_CAMPAIGN_BRAKE_PERCENT',
      'KURIR_KAFKA_PREFIX',
      'KURIR_SECRET',
    ]);
    expect(Object.keys(settings({ KURIR_ROLES: 'timers' })).sort()).toEqual([
      'KURIR_ALARM_MAIL',
      'KURIR_ALARM_URL',
      'KURIR_BLOCKLISTS',
      'KURIR_EVIDENCE_WAIT',
      'KURIR_KAFKA_PREFIX',
      'KURIR_SECRET',
    ]);
  });

  it('that differ are named with both values and the processes', () => {
    const process = (name: string, env: Record<string, string>) => ({ name, settings: settings(env), skew: 0 });
    const one = process('dispatch on a, process 1', { KURIR_ROLES: 'dispatch' });
    const other = process('dispatch on b, process 2', { KURIR_ROLES: 'dispatch', KURIR_EVIDENCE_WAIT: '5d' });
    const api = process('api on a, process 3', { KURIR_ROLES: 'api', KURIR_EVIDENCE_WAIT: '9d' });
    expect(differencesBetween([one, api])).toEqual([]);
    expect(differencesBetween([one, other, api])).toEqual([
      'KURIR_EVIDENCE_WAIT differs: 4d in dispatch on a, process 1 | 5d in dispatch on b, process 2',
    ]);
  });

  it('hold the rules of destinations by their content, not by the name of the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kurir-rules-'));
    const rulesOf = (name: string, content: unknown): string | undefined => {
      writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
      return settings({ KURIR_DESTINATION_RULES: join(folder, name) }).KURIR_DESTINATION_RULES;
    };
    const own = settings({}).KURIR_DESTINATION_RULES;
    expect(rulesOf('copy.json', BUILT_IN_FILE)).toBe(own);
    const [first, ...others] = BUILT_IN_FILE.destinations;
    expect(
      rulesOf('slower.json', { ...BUILT_IN_FILE, destinations: [{ ...first, per_minute: 1 }, ...others] }),
    ).not.toBe(own);
    expect(settings({ KURIR_DESTINATION_RULES: 'off' }).KURIR_DESTINATION_RULES).toBe('off');
  });
});
