import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../operations/config/config';
import { SECRETS } from '../../../operations/config/config-variables';
import { temporaryDir } from '../../support/running';
import { faultsOf } from './faults-of';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const SECRET = 'correct-horse-battery-staple-0123456789';

function fileOf(content: string): string {
  const file = join(dir, 'content');
  writeFileSync(file, content);
  return file;
}

describe('a secret in a file', () => {
  test('every setting that can hold a password has one', () => {
    expect(SECRETS).toEqual([
      'KURIR_OIDC_CLIENT_SECRET',
      'KURIR_HOOK_SECRET',
      'KURIR_MTA_URL',
      'KURIR_SECRET',
      'KURIR_ALARM_SECRET',
      'KAFKA_SASL_PASSWORD',
      'MONGODB_URL',
      'REDIS_URL',
    ]);
  });

  test.each(['', '\n', '\r\n'])('is its one line, which may end with %j', (end) => {
    expect(readConfig({ KURIR_SECRET_FILE: fileOf(SECRET + end) }).secret).toBe(SECRET);
  });

  test('counts as the setting itself, in each place', () => {
    const url = 'smtp://user:password@mta.example:587';
    expect(readConfig({ KURIR_MTA_URL_FILE: fileOf(`${url}\n`) })).toEqual(readConfig({ KURIR_MTA_URL: url }));
    const env = {
      KURIR_ENGINE: 'cluster',
      KURIR_SECRET: SECRET,
      KAFKA_BROKERS: 'k.example:9092',
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'kurir',
      KAFKA_SASL_PASSWORD: 'pass word',
      MONGODB_URL: 'mongodb://u:p@m.example',
      REDIS_URL: 'redis://:p@r.example',
    };
    for (const name of ['KURIR_SECRET', 'KAFKA_SASL_PASSWORD', 'MONGODB_URL', 'REDIS_URL'] as const) {
      const { [name]: value, ...rest } = env;
      expect(readConfig({ ...rest, [`${name}_FILE`]: fileOf(`${value}\n`) })).toEqual(readConfig(env));
    }
  });

  test('that is missing is named with its variable, as often as there are some', () => {
    const [one, other] = [join(dir, 'one'), join(dir, 'other')];
    expect(faultsOf({ KURIR_SECRET_FILE: one, REDIS_URL_FILE: other, KURIR_ENGINE: 'cluster' })).toEqual([
      `KURIR_SECRET_FILE names a file that is missing (is "${one}").`,
      `REDIS_URL_FILE names a file that is missing (is "${other}").`,
    ]);
  });

  test('that cannot be read, is empty or has several lines is named', () => {
    const folder = join(dir, 'folder');
    mkdirSync(folder);
    const faults = (file: string): readonly string[] => faultsOf({ KURIR_SECRET_FILE: file });
    expect(faults(folder)).toEqual([`KURIR_SECRET_FILE names a file that cannot be read: EISDIR (is "${folder}").`]);
    const file = fileOf(' \n');
    expect(faults(file)).toEqual([`KURIR_SECRET_FILE names a file that is empty (is "${file}").`]);
    fileOf(`${SECRET}\n\n`);
    expect(faults(file)).toEqual([`KURIR_SECRET_FILE names a file with more than one line (is "${file}").`]);
  });

  test('beside the setting itself is refused', () => {
    const file = fileOf(SECRET);
    expect(faultsOf({ KURIR_SECRET: SECRET, KURIR_SECRET_FILE: file })).toEqual([
      `KURIR_SECRET_FILE must not be set together with KURIR_SECRET: remove one of them (is "${file}").`,
    ]);
    expect(readConfig({ KURIR_SECRET: ' ', KURIR_SECRET_FILE: file }).secret).toBe(SECRET);
  });

  test('is not shown when it is wrong; its file is', () => {
    const file = fileOf('http://user:hunter2@x.example/?k=s3cr3t');
    expect(faultsOf({ KURIR_MTA_URL_FILE: file })).toEqual([
      `KURIR_MTA_URL must be a URL that starts with smtp:// or smtps:// (in KURIR_MTA_URL_FILE, ${file}).`,
    ]);
  });
});
