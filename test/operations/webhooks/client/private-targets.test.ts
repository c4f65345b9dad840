import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newWebhookRules, newWebhookShape } from '../../../../schemas/webhooks/new-webhook';
import { normalize } from '../../../../schemas/rules/normalize';
import { validate } from '../../../../schemas/rules/rules';
import { createWebhookSender } from '../../../../operations/webhooks/client/sender';
import type { WebhookTargets } from '../../../../operations/webhooks/targets';
import type { WebhookSender } from '../../../../operations/webhooks/client/webhook-sender';
import { Endpoint, post, PUBLIC, targetsOf } from './endpoint';
import { privateAnswers, privateUrls } from '../../../support/private-forms';

/** Of every kind the first must be there, so that an empty list proves nothing. */
const KINDS = Object.keys(privateUrls(1));
const ANSWERS = privateAnswers(PUBLIC);
const nameOf = (i: number): string => `n${i}.contoh.test`;

let endpoint: Endpoint;
let targets: WebhookTargets;
let sender: WebhookSender;
beforeAll(async () => {
  // It gets every connection to this machine, of both kinds.
  endpoint = await Endpoint.http((_req, res) => res.end('inside'), { host: '::' });
  const answers = new Map(ANSWERS.map((addresses, i) => [nameOf(i), addresses]));
  targets = targetsOf({ resolveHost: (name) => Promise.resolve(answers.get(name) ?? []) });
  sender = createWebhookSender({ targets, limits: { connect: 1_000, whole: 2_000 } });
});
afterAll(async () => {
  await sender.close();
  await endpoint.stop();
});

/** Whether POST /webhooks would take it. */
async function isRegistered(url: string): Promise<boolean> {
  const fields = normalize(newWebhookShape, { url, event_types: ['open'] }, 'json');
  const read = validate(newWebhookRules, fields, { mayBePrivate: targets.mayBePrivate });
  return read.ok && (await targets.find(read.value.url)).ok;
}

/** The URLs that the check at registration lets pass, or for which the sender tries to connect. */
async function reached(urls: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const url of urls) {
    const before = endpoint.sockets.length;
    const { ok, status, error } = await sender.send(post(url));
    const isRefused = !ok && status === null && /^The (URL|host) /.test(error ?? '');
    if (!isRefused || endpoint.sockets.length > before || (await isRegistered(url))) found.push(`${url} ${error}`);
  }
  return found;
}

describe('no webhook is registered for, nor any connection made to', () => {
  test.each(KINDS)('%s', async (kind) => {
    expect(await reached(privateUrls(endpoint.port)[kind] ?? [])).toEqual([]);
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test('names that lead to such an address, alone or beside a public one', async () => {
    expect(await reached(ANSWERS.map((_, i) => `https://${nameOf(i)}:${endpoint.port}/in`))).toEqual([]);
  });

  test('in all these forms there is not one connection', () => {
    expect(new Set(Object.values(privateUrls(endpoint.port)).flat()).size + ANSWERS.length).toBeGreaterThan(350);
    expect(endpoint.sockets).toHaveLength(0);
  });

  test('while the same listener is reached as soon as it is allowed', async () => {
    const allowed = createWebhookSender({ targets: targetsOf({ privateHosts: ['127.0.0.1', '::1', 'localhost'] }) });
    for (const host of ['2130706433', '[::1]', 'LOCALHOST.']) {
      expect(await allowed.send(post(`http://${host}:${endpoint.port}/in`))).toMatchObject({ ok: true });
    }
    await allowed.close();
    expect(endpoint.sockets).toHaveLength(3);
  });
});
