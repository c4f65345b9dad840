/** A webhook as it was delivered. */
export interface ReceivedWebhook {
  event: string;
  message_id: string;
  timestamp: string;
  [field: string]: unknown;
}

export interface VerifyOptions {
  /** The secret that `POST /webhooks` answered, as it stands. */
  secret: string;
  /** The body exactly as it arrived: JSON that was parsed and written again has other bytes. */
  body: string | Uint8Array;
  /** Of the request, with names in lower case; those of `node:http`, or a Headers. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** How old a request may be, s. Default: 300. */
  tolerance?: number;
  /** Unix time, s; for tests. */
  now?: () => number;
}

const TOLERANCE = 300;

/** A request that is not from the service, was changed on its way, or is too old. Answer it 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Verifies a webhook by the headers of Standard Webhooks, and resolves with what it says. Rejects with WebhookError.
 * The header `webhook-id` is the same for every delivery of one event: use it to pass over repeats.
 */
export async function verifyWebhook(options: VerifyOptions): Promise<ReceivedWebhook> {
  const { secret, tolerance = TOLERANCE, now = () => Date.now() / 1_000 } = options;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(options.headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('The signature headers are missing.');
  if (!(Math.abs(now() - Number(timestamp)) <= tolerance))
    throw new WebhookError('The timestamp of the webhook is too far from the current time.');
  const body = typeof options.body === 'string' ? new TextEncoder().encode(options.body) : options.body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  if (!(await isSigned(secret, signed, signatures))) throw new WebhookError('The signature is not valid.');
  return JSON.parse(new TextDecoder().decode(body)) as ReceivedWebhook;
}

/** Compares in constant time. */
async function isSigned(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  for (const entry of signatures.split(' ')) {
    const [version, signature] = entry.split(',', 2);
    const bytes = version === 'v1' ? readBase64(signature ?? '') : null;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: VerifyOptions['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
