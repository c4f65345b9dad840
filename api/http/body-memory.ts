import type { IncomingMessage } from 'node:http';
import type { ByteBudget, ByteHold } from '../../lib/byte-budget';
import { ApiError } from '../errors';

/** Bodies up to this size pass always, so that large ones never hold them up. */
export const SMALL_BODY = 64 * 1024;
/**
 * Memory that a body takes per byte until its request is answered: its bytes, their text, the strings parsed from it,
 * decoded attachments, and their copies on the way to the store (bench/history.md).
 */
export const MEMORY_PER_BYTE = 4;
/** How long a request waits for others to finish, ms of real time. */
const LONGEST_WAIT = 5_000;
/** Seconds after which a refused request is worth another try. */
const RETRY_AFTER = 5;

/** The share of one request in the memory for bodies. Its body may take no more than was reserved for it. */
export interface BodyMemory {
  /**
   * Reserves memory for a body of a declared size before it is read. Waits a short time for other requests; ApiError
   * 503 when there is still no room.
   */
  reserve(req: IncomingMessage, bytes: number): Promise<void>;
  /** Counts bytes read. ApiError 503 when they are more than was reserved and there is no room now. */
  count(bytes: number): void;
  /** The request is answered. */
  release(): void;
}

/** Opens the share of a request; nothing is reserved yet. */
export function bodyMemory(budget: ByteBudget): BodyMemory {
  let hold: ByteHold | null = null;
  /** Bytes of the body that the hold covers. */
  let covered = 0;
  let read = 0;
  return {
    reserve: async (req, bytes) => {
      if (bytes <= SMALL_BODY) return;
      const left = new AbortController();
      const abort = (): void => left.abort();
      req.once('close', abort);
      hold = await budget.acquire(bytes * MEMORY_PER_BYTE, { timeout: LONGEST_WAIT, signal: left.signal });
      req.off('close', abort);
      if (!hold) throw noRoom();
      covered = bytes;
    },
    count: (bytes) => {
      read += bytes;
      if (read <= Math.max(covered, SMALL_BODY)) return;
      hold ??= budget.open();
      if (!hold.grow((read - covered) * MEMORY_PER_BYTE)) throw noRoom();
      covered = read;
    },
    release: () => hold?.release(),
  };
}

const noRoom = (): ApiError => new ApiError('busy', { headers: { 'Retry-After': String(RETRY_AFTER) } });
