import type { DeliveryAttempt } from '../webhooks/webhook-delivery';

/** False for metadata that is not a JSON object. */
export function isReadable(metadata: string | null): boolean {
  if (metadata === null) return true;
  try {
    const value: unknown = JSON.parse(metadata);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The number of attempts, null when they cannot be read, and whether the last one succeeded. Damaged data may hold
 * anything.
 */
export function readAttempts(attempts: unknown): { attempts: number | null; succeeded: boolean } {
  if (!Array.isArray(attempts)) return { attempts: null, succeeded: false };
  const last = attempts.at(-1) as Partial<DeliveryAttempt> | null | undefined;
  return { attempts: attempts.length, succeeded: last !== undefined && (last?.error ?? null) === null };
}
