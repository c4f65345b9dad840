import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../operations/config/config';
import { startKurir, type Kurir } from '../../../app/kurir';
import type { FirstRun } from '../../../operations/installation/first-run';
import { keepingLogger } from '../../support/log-lines';
import { Caller, temporaryDir, testEnv } from '../../support/running';

const dir = temporaryDir();
const logger = { ...keepingLogger(), fatal: () => undefined };
let kurir: Kurir;
let api: Caller;
beforeAll(async () => {
  const config = readConfig({ ...testEnv(dir), KURIR_WEBHOOK_PRIVATE_HOSTS: 'localhost,10.0.0.7' });
  kurir = await startKurir(config, { logger });
  const { api_key: key } = JSON.parse(readFileSync(join(dir, 'first-run.json'), 'utf8')) as FirstRun;
  api = new Caller(kurir.baseUrl, key);
});
afterAll(async () => {
  await kurir.stop();
  rmSync(dir, { recursive: true });
});

const register = async (url: string): Promise<unknown> => {
  const { status, body } = await api.request('POST', '/webhooks', { url, event_types: ['open'] });
  return status === 201 ? [201, body['url']] : [status, body['message']];
};
const hooks = (): string => kurir.baseUrl.replace(/\/v1$/, '/sandbox/hooks');

describe('POST /webhooks, KURIR_WEBHOOK_PRIVATE_HOSTS', () => {
  test('is said in the log at the start', () => {
    expect(logger.lines).toContainEqual({
      level: 'warn',
      facts: { hosts: ['localhost', '10.0.0.7'] },
      text: 'webhooks are allowed to reach these private hosts',
    });
  });

  // spec: docs/contract.md#webhook-url: KURIR_WEBHOOK_PRIVATE_HOSTS: exact hosts, also private, also plain http
  test.each(['http://localhost:3000/in', 'https://localhost/', 'http://10.0.0.7/in', 'https://10.0.0.7:8443/'])(
    '201: %s',
    async (url) => expect(await register(url)).toEqual([201, url]),
  );

  // spec: docs/contract.md#webhook-url: the refusal of a local address names it
  test.each([
    [
      'http://10.0.0.8/',
      'The url field must not point to an internal or private network. For development, your administrator can allow hosts with KURIR_WEBHOOK_PRIVATE_HOSTS.',
    ],
    ['http://toko.example/', 'The url field must be a URL that begins with https://.'],
    [
      'https://10.0.0.8/',
      'The url field must not point to an internal or private network. For development, your administrator can allow hosts with KURIR_WEBHOOK_PRIVATE_HOSTS.',
    ],
    ['http://u:p@localhost/', 'The url field must not have a user name or a password.'],
  ])('422: %s', async (url, sentence) => expect(await register(url)).toEqual([422, sentence]));
});

describe('POST /webhooks, with the sandbox', () => {
  // spec: docs/contract.md#webhook-url: the sandbox's own hooks
  test('201: its hooks', async () => {
    expect(await register(`${hooks()}/shop`)).toEqual([201, `${hooks()}/shop`]);
  });

  test('422: other paths of this service', async () => {
    const sentence =
      'The url field must not point to an internal or private network. For development, your administrator can allow hosts with KURIR_WEBHOOK_PRIVATE_HOSTS.';
    for (const path of ['', '/', '/../inbox', '/a/b']) {
      expect(await register(`${hooks()}${path}`)).toEqual([422, sentence]);
    }
  });
});
