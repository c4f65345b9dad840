import { signedHeaders } from '../../../operations/webhooks/client/sign';
import type { ArrivedRequest } from '../../../sandbox/hooks/hook-request';
import { TEST_START } from '../../support/clock';

export const SECRET = 's'.repeat(40);

/** The body of an event. */
export const payload = (fields: object = {}): string =>
  JSON.stringify({ event: 'delivered', message_id: '0194-a', to: 'siti@contoh.test', ...fields });

/** The headers of an attempt. */
export const signed = (body: string | Buffer, more: { id?: string; at?: number; secret?: string } = {}) =>
  signedHeaders({ secret: SECRET, id: 'dlv1', at: TEST_START, body: Buffer.from(body), ...more });

/** A verified request as the store gets it. */
export const arrived = (fields: Partial<ArrivedRequest> = {}): ArrivedRequest => ({
  name: 'shop',
  receivedAt: TEST_START,
  subscription: 7,
  webhookId: 'dlv1',
  event: 'delivered',
  messageId: '0194-a',
  serviceSignature: 'valid',
  standardSignature: 'valid',
  answer: 200,
  headers: { 'webhook-id': 'dlv1' },
  body: Buffer.from(payload()),
  ...fields,
});
