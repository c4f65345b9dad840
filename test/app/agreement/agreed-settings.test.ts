import { describe, expect, it } from '@jest/globals';
import { agreedSettings, differencesBetween } from '../../../app/agreement/agreed-settings';
import { readConfig } from '../../../app/config/config';

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
      KURIR_API_RATE_PER_MINUTE: '60',
      KURIR_PREMIUM_PER_MINUTE: '1200',
      KURIR_CAMPAIGN_BRAKE_PERCENT: '8',
    });
  });

  it('are those that the roles of a process use', () => {
    expect(Object.keys(settings({ KURIR_ROLES: 'api' })).sort()).toEqual([
      'KURIR_API_RATE_PER_MINUTE',
      'KURIR_KAFKA_PREFIX',
      'KURIR_PREMIUM_PER_MINUTE',
      'KURIR_SECRET',
    ]);
    expect(Object.keys(settings({ KURIR_ROLES: 'campaigns' })).sort()).toEqual([
      'KURIR_CAMPAIGN_BRAKE_PERCENT',
      'KURIR_KAFKA_PREFIX',
      'KURIR_SECRET',
    ]);
    expect(Object.keys(settings({ KURIR_ROLES: 'timers' })).sort()).toEqual([
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
});
