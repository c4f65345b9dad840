import { UnavailableError } from '../../../stores/ports/errors';

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error that tells a caller to try again later; errors that say so already pass. */
export function unavailable(what: string, error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error;
  return new UnavailableError(`Kafka: ${what}: ${textOf(error)}`, { cause: error });
}
