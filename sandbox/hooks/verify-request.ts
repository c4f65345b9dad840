import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { MINUTE, SECOND } from '../../lib/clock';
import type { Verdict, Verification } from './hook-request';

/** A webhook that is registered with the URL of a hook, or a journey that posts to it. */
export interface HookSecret {
  /** Id of the webhook, or the journey in words. */
  id: number | string;
  /** As its owner has it; the key is its UTF-8 bytes. */
  secret: string;
}

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The service's clock, ms. */
  now: number;
}

/** How far `webhook-timestamp` may be from the clock, ms: what the libraries of Standard Webhooks allow. */
const TOLERANCE = 5 * MINUTE;

/**
 * Verifies both signatures of a request over its exact bytes, as a receiver would (docs/webhooks.md): with the secret
 * of the webhook that sent it, else of the first one with this URL.
 */
export function verifyRequest(received: Received, secrets: readonly HookSecret[]): Verification {
  const all = secrets.map((each) => verify(received, each));
  const isSender = ({ serviceSignature, standardSignature }: Verification): boolean =>
    serviceSignature === 'valid' || standardSignature === 'valid' || standardSignature === 'stale';
  return (
    all.find(isSender) ?? all[0] ?? { subscription: null, serviceSignature: 'unknown', standardSignature: 'unknown' }
  );
}

const verify = (received: Received, { id, secret }: HookSecret): Verification => ({
  subscription: id,
  serviceSignature: serviceVerdict(received, secret),
  standardSignature: standardVerdict(received, secret),
});

function serviceVerdict({ headers, body }: Received, secret: string): Verdict {
  const given = text(headers['x-service-signature']);
  if (given === null) return 'missing';
  return isSame(given, createHmac('sha256', secret).update(body).digest('hex')) ? 'valid' : 'invalid';
}

function standardVerdict({ headers, body, now }: Received, secret: string): Verdict {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => text(headers[`webhook-${name}`]));
  if (!id || !timestamp || !signatures) return 'missing';
  const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // Several signatures stand there while a secret is exchanged.
  if (!signatures.split(' ').some((given) => isSame(given, `v1,${hmac}`))) return 'invalid';
  return Math.abs(Number(timestamp) * SECOND - now) <= TOLERANCE ? 'valid' : 'stale';
}

const text = (header: string | string[] | undefined): string | null => (typeof header === 'string' ? header : null);

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
