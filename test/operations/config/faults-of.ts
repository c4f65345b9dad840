import { readConfig } from '../../../operations/config/config';
import { ConfigError } from '../../../lib/config-error';

/** What is wrong with these variables; nothing when they are a configuration. */
export function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
