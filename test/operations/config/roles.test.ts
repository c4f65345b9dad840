import { describe, expect, test } from '@jest/globals';
import { readConfig, type Config } from '../../../operations/config/config';
import { ROLES } from '../../../operations/config/roles';
import { faultsOf } from './faults-of';

const CLUSTER = {
  KURIR_ENGINE: 'cluster',
  KURIR_SECRET: 'correct-horse-battery-staple-0123456789',
  KAFKA_BROKERS: 'k:9092',
  MONGODB_URL: 'mongodb://m',
  REDIS_URL: 'redis://r',
};
const MTA = { KURIR_MTA_URL: 'smtp://mta.example' };
const PUBLIC = { KURIR_PUBLIC_URL: 'https://mail.example' };

const rolesOf = (env: Record<string, string>): Config['roles'] => readConfig({ ...CLUSTER, ...env }).roles;

describe('the roles of a process', () => {
  test('without any named it has all of them, the sandbox only without another sending server', () => {
    expect(rolesOf({})).toEqual(ROLES);
    expect(rolesOf(MTA)).toEqual(ROLES.filter((role) => role !== 'sandbox'));
  });

  test('those named, once each, whatever their order, case and spaces', () => {
    expect(rolesOf({ KURIR_ROLES: ' coins, API,coins ,' })).toEqual(['api', 'coins']);
  });

  test('wrong names are said in one line, with the roles there are', () => {
    const list =
      'roles are api, smtp, public, dashboard, throttle, dispatch, coins, mta-feedback, engagement, webhooks, conversions, campaigns, journeys, timers, sandbox';
    expect(faultsOf({ ...CLUSTER, KURIR_ROLES: 'api,mailer,x' })).toEqual([
      `KURIR_ROLES (or --roles) names "mailer", "x", which is not a role; ${list} (is "api,mailer,x").`,
    ]);
    expect(faultsOf({ ...CLUSTER, KURIR_ROLES: ',' })).toEqual([
      `KURIR_ROLES (or --roles) names no role; ${list} (is ",").`,
    ]);
  });

  test('the embedded engine is one process that does everything', () => {
    expect(faultsOf({ KURIR_ROLES: 'api,dispatch' })).toEqual([
      'The embedded engine is a single process with all roles: leave out --roles (KURIR_ROLES), or set KURIR_ENGINE=cluster.',
    ]);
    expect(faultsOf({ KURIR_ROLES: ROLES.join(',') })).toEqual([]);
    expect(faultsOf({ ...MTA, KURIR_ROLES: ROLES.join(',') })).toHaveLength(1);
  });
});

describe('what a role needs of others', () => {
  test('dispatch: a sending server, or the sandbox in its process', () => {
    expect(faultsOf({ ...CLUSTER, ...PUBLIC, KURIR_ROLES: 'dispatch' })).toEqual([
      'The role dispatch has no sending server: set KURIR_MTA_URL, or add the role sandbox to this process.',
    ]);
    expect(faultsOf({ ...CLUSTER, ...PUBLIC, ...MTA, KURIR_ROLES: 'dispatch' })).toEqual([]);
    expect(faultsOf({ ...CLUSTER, ...PUBLIC, KURIR_ROLES: 'dispatch,sandbox,mta-feedback' })).toEqual([]);
  });

  test('dispatch: the address of the pages its links lead to', () => {
    expect(faultsOf({ ...CLUSTER, ...MTA, KURIR_ROLES: 'api,dispatch' })).toEqual([
      'The role dispatch writes links into emails, but their pages are not in this process: set KURIR_PUBLIC_URL to the URL of the role public.',
    ]);
    expect(faultsOf({ ...CLUSTER, ...MTA, KURIR_ROLES: 'public,dispatch' })).toEqual([]);
  });

  test('the sandbox: the listener for its reports; it may run beside a configured sending server, which is itself elsewhere', () => {
    expect(faultsOf({ ...CLUSTER, KURIR_ROLES: 'sandbox' })).toEqual([
      'The role sandbox sends delivery reports, but their listener is not in this process: set KURIR_SANDBOX_REPORTS to host:port of the role mta-feedback.',
    ]);
    expect(faultsOf({ ...CLUSTER, ...MTA, KURIR_ROLES: 'sandbox', KURIR_SANDBOX_REPORTS: 'f:2525' })).toEqual([]);
  });

  test('all of it is said at once, with the faults of other variables', () => {
    const faults = faultsOf({ ...CLUSTER, KURIR_ROLES: 'dispatch', KAFKA_BROKERS: 'k' });
    expect(faults).toHaveLength(3);
  });
});
