import type { MailFile } from '../mail-file';
import { type ArrivedRequest, type HookRequest, type HookSummary, isVerified, type Verdict } from './hook-request';

interface Row {
  id: number;
  name: string;
  received_at: number;
  subscription: number | string | null;
  webhook_id: string | null;
  attempt: number;
  event: string | null;
  message_id: string | null;
  service_signature: Verdict;
  standard_signature: Verdict;
  answer: number | null;
  headers: string;
  size: number;
  start: Uint8Array;
}

/** Requests kept of one hook, and of all hooks together; older ones are deleted. */
export const KEPT_PER_HOOK = 1_000;
const KEPT_IN_ALL = 10_000;
/**
 * The same of those that do not verify, which anyone may send. They are counted apart, and take no room of the others.
 */
export const UNVERIFIED_PER_HOOK = 100;
const UNVERIFIED_IN_ALL = 1_000;
/** How much is kept of the body of one that does not verify, bytes. */
export const UNVERIFIED_BODY = 4 * 1024;
/** How much of a body a list holds, bytes. */
export const MAX_TEXT = 64 * 1024;

const COLUMNS = `id, name, received_at, subscription, webhook_id, attempt, event, message_id, service_signature,
  standard_signature, answer, headers, coalesce(size, length(body)) AS size,
  coalesce(substr(body, 1, ${MAX_TEXT}), x'') AS start`;

/** The requests that the sandbox's hooks received. */
export class HookStore {
  constructor(private readonly file: MailFile) {}

  /** Stores the request; resolves once it is durable with its id, and as which attempt of its webhook-id it came. */
  keep(request: ArrivedRequest): Promise<{ id: number; attempt: number }> {
    const verified = isVerified(request);
    const body = verified ? request.body : request.body.subarray(0, UNVERIFIED_BODY);
    return this.file.write(() => {
      const attempt = this.attemptsOf(request) + 1;
      const id = this.file.run(
        `INSERT INTO hook_requests (name, received_at, subscription, webhook_id, attempt, event, message_id,
           service_signature, standard_signature, is_verified, answer, headers, body, size)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        request.name,
        request.receivedAt,
        request.subscription,
        request.webhookId,
        attempt,
        request.event,
        request.messageId,
        request.serviceSignature,
        request.standardSignature,
        verified ? 1 : 0,
        request.answer,
        JSON.stringify(request.headers),
        body,
        request.body.length,
      );
      this.trim(request.name, verified);
      return { id, attempt };
    });
  }

  /** Every hook that received something, the one with the newest request first. */
  hooks(): HookSummary[] {
    return this.file.all<HookSummary>(
      `SELECT name, count(*) AS requests, sum(is_verified) AS verified, max(received_at) AS lastAt
       FROM hook_requests GROUP BY name ORDER BY max(id) DESC`,
    );
  }

  /** Requests of one hook, or of all; newest first, below id `before`. */
  list(name: string | null, limit: number, before: number): HookRequest[] {
    const rows =
      name === null
        ? this.file.all<Row>(
            `SELECT ${COLUMNS} FROM hook_requests WHERE id < ? ORDER BY id DESC LIMIT ?`,
            before,
            limit,
          )
        : this.file.all<Row>(
            `SELECT ${COLUMNS} FROM hook_requests WHERE name = ? AND id < ? ORDER BY id DESC LIMIT ?`,
            name,
            before,
            limit,
          );
    return rows.map(toRequest);
  }

  /** Number of stored requests of one hook. */
  count(name: string): number {
    return this.file.get<{ n: number }>('SELECT count(*) AS n FROM hook_requests WHERE name = ?', name)?.n ?? 0;
  }

  /** The body of a request as far as it is kept, or null. */
  body(name: string, id: number): Buffer | null {
    const row = this.file.get<{ body: Uint8Array }>(
      'SELECT body FROM hook_requests WHERE id = ? AND name = ?',
      id,
      name,
    );
    return row ? Buffer.from(row.body) : null;
  }

  private attemptsOf({ name, webhookId }: ArrivedRequest): number {
    if (webhookId === null) return 0;
    const sql = 'SELECT max(attempt) AS n FROM hook_requests WHERE name = ? AND webhook_id = ?';
    return this.file.get<{ n: number | null }>(sql, name, webhookId)?.n ?? 0;
  }

  private trim(name: string, verified: boolean): void {
    const flag = verified ? 1 : 0;
    const [perHook, inAll] = verified ? [KEPT_PER_HOOK, KEPT_IN_ALL] : [UNVERIFIED_PER_HOOK, UNVERIFIED_IN_ALL];
    this.file.run(
      `DELETE FROM hook_requests WHERE is_verified = ? AND id <= (
         SELECT id FROM hook_requests WHERE is_verified = ? ORDER BY id DESC LIMIT 1 OFFSET ${inAll})`,
      flag,
      flag,
    );
    this.file.run(
      `DELETE FROM hook_requests WHERE name = ? AND is_verified = ? AND id <= (
         SELECT id FROM hook_requests WHERE name = ? AND is_verified = ? ORDER BY id DESC LIMIT 1 OFFSET ${perHook})`,
      name,
      flag,
      name,
      flag,
    );
  }
}

function toRequest(row: Row): HookRequest {
  return {
    id: row.id,
    name: row.name,
    receivedAt: row.received_at,
    subscription: row.subscription,
    webhookId: row.webhook_id,
    attempt: row.attempt,
    event: row.event,
    messageId: row.message_id,
    serviceSignature: row.service_signature,
    standardSignature: row.standard_signature,
    answer: row.answer,
    headers: JSON.parse(row.headers) as Record<string, string>,
    size: row.size,
    text: Buffer.from(row.start).toString(),
  };
}
