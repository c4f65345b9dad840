import { DifferingSchemaError, NewerSchemaError, UnavailableError } from '../lib/errors';
import { ConfigError } from './config/config';
import { StartError } from './start-error';

const MENDABLE = [StartError, UnavailableError, NewerSchemaError, DifferingSchemaError];

/** Faults the operator can mend are said in a line each; anything else is a bug and shows its trace. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  if (error instanceof Error && MENDABLE.some((type) => error instanceof type)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
