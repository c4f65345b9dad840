import { NewerSchemaError, UnavailableError } from '../stores/ports/errors';
import { ConfigError } from './config';
import { StartError } from './start-error';

/** Faults the operator can mend are said in a line each; anything else is a bug and shows its trace. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  const known = error instanceof StartError || error instanceof UnavailableError || error instanceof NewerSchemaError;
  if (known) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
