import type { Sender } from './seed';
import type { Kind } from './sink/behaviour';

/** One message that a caller wants sent, under an idempotency key of its own and to an address nobody else writes to. */
export interface Offer {
  sender: Sender;
  key: string;
  kind: Kind;
  to: string;
  /** Set once the service answered 201, or 200 to a repeat. */
  id: string | null;
}

export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

const PATIENCE = 10_000;

/** How one request to hand a message in went. */
export interface SubmitAttempt {
  /** Real time when it was made, and how long it took, ms. */
  at: number;
  took: number;
  /** Null when there was no answer. */
  status: number | null;
}

/** A caller of the API who knows that an answer may never come, and who goes to the next door then. */
export class ApiCaller {
  /** Every try to hand a message in, in the order of their ends. */
  readonly attempts: SubmitAttempt[] = [];
  private current = 0;

  constructor(private readonly baseUrls: readonly string[]) {}

  /** Null when there was no answer. */
  async request(
    apiKey: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply | null> {
    const door = this.current;
    try {
      const response = await fetch(`${this.baseUrls[door]}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(PATIENCE),
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    } catch {
      this.current = (door + 1) % this.baseUrls.length;
      return null;
    }
  }

  /** One try to hand the message in; true once it is accepted. Throws for an answer that no retry will mend. */
  async submit(offer: Offer, more: object = {}): Promise<boolean> {
    const mail = { to: offer.to, subject: 'Halo', html: HTML, sending_domain_id: offer.sender.domainId, ...more };
    const at = Date.now();
    const reply = await this.request(offer.sender.apiKey, '/messages', mail, { 'idempotency-key': offer.key });
    this.attempts.push({ at, took: Date.now() - at, status: reply?.status ?? null });
    // 408: a machine too busy to read the request in time.
    if (!reply || reply.status >= 500 || reply.status === 408) return false;
    if (reply.status !== 201 && reply.status !== 200) {
      throw new Error(`POST /messages answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    }
    offer.id = String(reply.body.message_id);
    return true;
  }

  /** The statuses of at most 100 messages of one workspace, by id; null when there was no answer. */
  async statuses(apiKey: string, ids: readonly string[]): Promise<Map<string, string> | null> {
    const reply = await this.request(apiKey, `/messages?ids=${ids.join(',')}`);
    if (reply?.status !== 200) return null;
    const items = reply.body.data as { message_id: string; status: string }[];
    return new Map(items.map(({ message_id, status }) => [message_id, status]));
  }
}

const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.example/pesanan">pesanan Anda</a>.</p>';
export const FINAL: ReadonlySet<string> = new Set(['delivered', 'bounced', 'failed']);
