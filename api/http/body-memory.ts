import type { IncomingMessage } from 'node:http';
import { ByteBudget, type ByteHold, type Owner } from '../../lib/byte-budget';
import { ApiError } from '../errors';

/** Bodies up to this size pass always, so that large ones never hold them up. */
export const SMALL_BODY = 64 * 1024;
/**
 * Memory per byte of a body from its parsing to the answer: its text, the strings parsed from it, decoded attachments
 * and their copies on the way to the store (proof/bench/history.md).
 */
const PROCESSING_PER_BYTE = 4;
/** How long a request waits for others to finish, ms of real time. */
const LONGEST_WAIT = 5_000;
/** Seconds after which a refused request is worth another try. */
const RETRY_AFTER = 5;

/** The memory for the bodies of all requests, of which each owner, such as a workspace, has a share. */
export interface BodyBudgets {
  /** Bodies being read. */
  reading: ByteBudget;
  /** Bodies being parsed, and what was parsed until it is stored. Separate: who holds it never waits for more. */
  processing: ByteBudget;
}

/** Divides `bytes` of memory. */
export const bodyBudgets = (bytes: number): BodyBudgets => ({
  reading: new ByteBudget(bytes / 2),
  processing: new ByteBudget(bytes / 2),
});

/** What one request holds of the memory for bodies. Its body may take no more than was reserved for it. */
export interface BodyMemory {
  /**
   * Reserves memory for a body of a declared size before it is read. Waits a short time for other requests; ApiError
   * 503 when there is still no room. A small body needs no room and no wait.
   */
  reserve(req: IncomingMessage, bytes: number): Promise<void> | undefined;
  /** Counts bytes read. ApiError 503 when they are more than was reserved and there is no room now. */
  count(bytes: number): void;
  /**
   * Reserves memory for what is made of the body until the request is answered; waits and refuses as `reserve` does.
   */
  process(req: IncomingMessage, bytes: number): Promise<void> | undefined;
  /** The bytes of the body are no longer in memory. */
  parsed(): void;
  /** The request is answered. */
  release(): void;
}

/** Opens the memory of a request of this owner; nothing is reserved yet. */
export function bodyMemory({ reading, processing }: BodyBudgets, owner: Owner): BodyMemory {
  let body: ByteHold | null = null;
  let rest: ByteHold | null = null;
  /** Bytes of the body that are reserved. */
  let covered = 0;
  let read = 0;
  return {
    reserve: (req, bytes) => {
      if (bytes <= SMALL_BODY) return undefined;
      return acquire(reading, owner, req, bytes).then((hold) => {
        body = hold;
        covered = bytes;
      });
    },
    count: (bytes) => {
      read += bytes;
      if (read <= Math.max(covered, SMALL_BODY)) return;
      body ??= reading.open(owner);
      if (!body.grow(read - covered)) throw noRoom();
      covered = read;
    },
    process: (req, bytes) => {
      if (bytes <= SMALL_BODY) return undefined;
      return acquire(processing, owner, req, bytes * PROCESSING_PER_BYTE).then((hold) => void (rest = hold));
    },
    parsed: () => body?.release(),
    release: () => {
      body?.release();
      rest?.release();
    },
  };
}

/** Also ends the wait when the caller goes away. */
async function acquire(budget: ByteBudget, owner: Owner, req: IncomingMessage, bytes: number): Promise<ByteHold> {
  const caller = new AbortController();
  const abort = (): void => caller.abort();
  req.socket.once('close', abort);
  const hold = await budget.acquire(owner, bytes, { timeout: LONGEST_WAIT, signal: caller.signal });
  req.socket.off('close', abort);
  if (!hold) throw noRoom();
  return hold;
}

const noRoom = (): ApiError => new ApiError('busy', { headers: { 'Retry-After': String(RETRY_AFTER) } });
