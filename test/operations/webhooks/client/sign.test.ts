import { describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signedHeaders } from '../../../../operations/webhooks/client/sign';

const SECRET = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5lM7n';
const ID = 'evt-019a-17';
const payload = { event: 'open', to: 'budi@contoh.test', metadata: { nama: 'Siti é 🌧' } };
const body = Buffer.from(JSON.stringify(payload));

describe('the headers of a webhook', () => {
  test('X-Service-Signature is the lower-case hex HMAC-SHA256 of the raw body', () => {
    const headers = signedHeaders({ secret: SECRET, id: ID, at: Date.now(), body });
    expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(headers['x-service-signature']).toBe(createHmac('sha256', SECRET).update(body).digest('hex'));
  });

  test('it signs the bytes, also those that are no text', () => {
    const bytes = Buffer.from([0xff, 0, 0xc3, 0x28, 10]);
    const { 'x-service-signature': signature } = signedHeaders({ secret: 'é', id: ID, at: 0, body: bytes });
    expect(signature).toBe(createHmac('sha256', Buffer.from('é')).update(bytes).digest('hex'));
  });

  test('a Standard Webhooks library verifies ours, with the secret taken as raw bytes', () => {
    const headers = signedHeaders({ secret: SECRET, id: ID, at: Date.now(), body });
    const library = new Webhook(SECRET, { format: 'raw' });
    expect(library.verify(body, headers)).toEqual(payload);
    expect(library.verify(body.toString(), headers)).toEqual(payload);
    expect(new Webhook(Buffer.from(SECRET).toString('base64')).verify(body, headers)).toEqual(payload);
  });

  test('the library refuses another body, id, time and secret, and a replay after five minutes', () => {
    const headers = signedHeaders({ secret: SECRET, id: ID, at: Date.now(), body });
    const library = new Webhook(SECRET, { format: 'raw' });
    const refused = (change: object, bytes = body) =>
      expect(() => library.verify(bytes, { ...headers, ...change })).toThrow(/signature/i);
    refused({}, Buffer.from(`${body.toString()} `));
    refused({ 'webhook-id': 'evt-019a-18' });
    refused({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) });
    expect(() => new Webhook(`${SECRET}x`, { format: 'raw' }).verify(body, headers)).toThrow(/signature/i);
    const old = signedHeaders({ secret: SECRET, id: ID, at: Date.now() - 301_000, body });
    expect(() => library.verify(body, old)).toThrow(/too old/);
  });

  test('webhook-timestamp is whole seconds, rounded down; the body is JSON', () => {
    const headers = signedHeaders({ secret: SECRET, id: ID, at: 1_700_000_000_999, body });
    expect(headers).toMatchObject({
      'webhook-id': ID,
      'webhook-timestamp': '1700000000',
      'content-type': 'application/json',
    });
  });
});
