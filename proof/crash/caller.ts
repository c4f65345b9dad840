import type { Sender } from './seed';
import type { Kind } from './sink/behaviour';

/** One message that a caller wants to send, with a unique idempotency key and a unique recipient. */
export interface Offer {
  sender: Sender;
  key: string;
  kind: Kind;
  to: string;
  /** Set once the service answers 201, or 200 to a repeat. */
  id: string | null;
}

export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

const PATIENCE = 10_000;

/** The result of one request to send a message. */
export interface SubmitAttempt {
  /** When the request was made (real time) and how long it took, ms. */
  at: number;
  took: number;
  /** Null when no answer came. */
  status: number | null;
}

/** A caller of the API. When an answer does not come, or is 503, it moves on to the next base URL, as a proxy would. */
export class ApiCaller {
  /** Every attempt to send a message, in the order in which the attempts ended. */
  readonly attempts: SubmitAttempt[] = [];
  private current = 0;

  constructor(private readonly baseUrls: readonly string[]) {}

  /** Returns null when no answer came. */
  async request(
    apiKey: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    method = body ? 'POST' : 'GET',
  ): Promise<Reply | null> {
    const { current } = this;
    try {
      const response = await fetch(`${this.baseUrls[current]}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(PATIENCE),
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.status === 503) this.moveOn(current);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    } catch {
      this.moveOn(current);
      return null;
    }
  }

  private moveOn(from: number): void {
    this.current = (from + 1) % this.baseUrls.length;
  }

  /** Tries once to send the message; true once it is accepted. Throws on an answer that a retry cannot change. */
  async submit(offer: Offer, more: object = {}): Promise<boolean> {
    const mail = { to: offer.to, subject: 'Halo', html: HTML, sending_domain_id: offer.sender.domainId, ...more };
    const at = Date.now();
    const reply = await this.request(offer.sender.apiKey, '/messages', mail, { 'idempotency-key': offer.key });
    this.attempts.push({ at, took: Date.now() - at, status: reply?.status ?? null });
    // 408: the machine was too busy to read the request in time.
    if (!reply || reply.status >= 500 || reply.status === 408) return false;
    if (reply.status !== 201 && reply.status !== 200) {
      throw new Error(`POST /messages answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    }
    offer.id = String(reply.body.message_id);
    return true;
  }

  /** The statuses of at most 100 messages of one workspace, by id; null when no answer came. */
  async statuses(apiKey: string, ids: readonly string[]): Promise<Map<string, string> | null> {
    const reply = await this.request(apiKey, `/messages?ids=${ids.join(',')}`);
    if (reply?.status !== 200) return null;
    const items = reply.body.data as { message_id: string; status: string }[];
    return new Map(items.map(({ message_id, status }) => [message_id, status]));
  }
}

const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.example/pesanan">pesanan Anda</a>.</p>';
export const FINAL: ReadonlySet<string> = new Set(['delivered', 'bounced', 'failed']);
