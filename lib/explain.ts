import { SchemaError, UnavailableError } from './errors';
import { ConfigError } from './config-error';
import { StartError } from './start-error';

const MENDABLE = [StartError, UnavailableError, SchemaError];

/** True for what the operator can fix. */
export const isMendable = (error: unknown): error is Error =>
  error instanceof ConfigError || (error instanceof Error && MENDABLE.some((type) => error instanceof type));

/**
 * Formats an error: one line each for problems the operator can fix; anything else is a bug and shows its stack trace.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  if (isMendable(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
