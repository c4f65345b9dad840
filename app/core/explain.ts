import { SchemaError, UnavailableError } from '../../lib/errors';
import { ConfigError } from './config-error';
import { StartError } from './start-error';

const MENDABLE = [StartError, UnavailableError, SchemaError];

/**
 * Formats an error: one line each for problems the operator can fix; anything else is a bug and shows its stack trace.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  if (error instanceof Error && MENDABLE.some((type) => error instanceof type)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
