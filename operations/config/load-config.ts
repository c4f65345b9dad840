import { LOG_FORMATS, readConfig, type Config, type Overrides } from './config';
import { ConfigError } from '../../lib/config-error';
import { SECRETS } from './config-variables';
import { readEnvFile } from './env-file';
import type { Env } from './env-reader';
import { unknownSettings } from './unknown-settings';

/** The configuration of a program, and one sentence for each variable that is probably a mistake. */
export interface LoadedConfig {
  config: Config;
  warnings: string[];
}

/**
 * Reads `.env` of the folder and the environment, which wins. Throws StartError when the file cannot be read, and
 * ConfigError with all errors, followed by the names that are probably mistyped.
 */
export function loadConfig(env: Env, folder: string, overrides: Overrides = {}): LoadedConfig {
  const all = { ...withoutSecretsOf(env, readEnvFile(folder)), ...env };
  const warnings = unknownSettings(all);
  try {
    return { config: readConfig(all, overrides), warnings };
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...error.faults, ...warnings]) : error;
  }
}

/** The format of the log as far as it can be read, for what is wrong before the configuration is. */
export function logFormatOf(env: Env, folder: string): Config['logFormat'] {
  try {
    const wanted = { ...readEnvFile(folder), ...env }['KURIR_LOG_FORMAT']?.trim();
    return LOG_FORMATS.find((format) => format === wanted) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/**
 * A secret has two names, itself and the file with it: what the environment sets by one of them, the file sets by none.
 */
function withoutSecretsOf(env: Env, file: Env): Env {
  const set = SECRETS.filter((name) => env[name]?.trim() || env[`${name}_FILE`]?.trim());
  const overridden = new Set<string>(set.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(file).filter(([name]) => !overridden.has(name)));
}
