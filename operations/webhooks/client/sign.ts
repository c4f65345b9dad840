import { createHmac } from 'node:crypto';

export interface Signed {
  /** The webhook's secret as its owner has it; the key is its UTF-8 bytes. */
  secret: string;
  /** The same for every attempt of one event at one endpoint; without a dot. */
  id: string;
  /** The service's clock at this attempt, ms. */
  at: number;
  /** Exactly the bytes that are sent. */
  body: Buffer;
}

const USER_AGENT = 'Kurir-Webhooks/1';

/**
 * The headers of one attempt: the contract's `X-Service-Signature`, lower-case hex of the bytes sent
 * (docs/contract.md#webhook-signature), and beside it the three headers of Standard Webhooks, with which receivers can
 * refuse replays: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
 */
export function signedHeaders({ secret, id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const standard = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
