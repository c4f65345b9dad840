import { describe, expect, test } from '@jest/globals';
import { VARIABLES } from '../../../operations/config/config-variables';
import { unknownSettings } from '../../../operations/config/unknown-settings';

describe('a variable that is no setting', () => {
  test.each([
    ['KURIR_HTP_PORT', 'KURIR_HTTP_PORT'],
    ['KURIR_SECRETS', 'KURIR_SECRET'],
    ['KURIR_SECRET_FILES', 'KURIR_SECRET_FILE'],
    ['kurir_data_dir', 'KURIR_DATA_DIR'],
    ['KURIR_MTA', 'KURIR_MTA_URL'],
    ['KAFKA_BROKER', 'KAFKA_BROKERS'],
    ['MONGODB_URI', 'MONGODB_URL'],
    ['REDIS_URI', 'REDIS_URL'],
  ])('%s: the nearest setting is %s', (name, meant) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([`${name} is not a setting. Did you mean ${meant}?`]);
  });

  test('like no other: the list of them is named', () => {
    expect(unknownSettings({ KURIR_PARALLEL_UNIVERSES: '2' })).toEqual([
      'KURIR_PARALLEL_UNIVERSES is not a setting. docs/configuration.md lists them.',
    ]);
  });

  test('of another program, or one that counts as unset, is left alone', () => {
    const others = {
      PATH: '/bin',
      KAFKA_HEAP_OPTS: '-Xmx1g',
      MONGODB_HOST: 'm',
      KURIR_OLD: ' ',
      KURIR_URL: 'http://x',
      KURIR_KEY: 'k',
      KAFKA_REPLICAS: '3',
    };
    expect(unknownSettings(others)).toEqual([]);
    expect(unknownSettings({ MONGODB_URI: 'x', MONGODB_URL: 'mongodb://m.example' })).toEqual([]);
  });

  test('that Kubernetes sets for a service called kurir is left alone', () => {
    const links = {
      KURIR_SERVICE_HOST: '10.0.0.1',
      KURIR_SERVICE_PORT: '8080',
      KURIR_SERVICE_PORT_HTTP: '8080',
      KURIR_PORT: 'tcp://10.0.0.1:8080',
      KURIR_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      KURIR_PORT_8080_TCP_PROTO: 'tcp',
    };
    expect(unknownSettings(links)).toEqual([]);
  });

  test('settings are settings', () => {
    expect(unknownSettings(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'x'])))).toEqual([]);
  });
});
