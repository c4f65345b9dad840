import { readFileSync } from 'node:fs';
import { SECRETS, type SecretName } from './config-variables';
import type { Env } from './env-reader';

/** The secrets that came from files, and everything that is wrong with those files. */
export interface FileSecrets {
  values: Partial<Record<SecretName, string>>;
  /** Where each value comes from, for an error that must not show it. */
  origins: Partial<Record<SecretName, string>>;
  faults: string[];
}

/**
 * Reads each secret whose `<name>_FILE` names a file (docs/configuration.md#secrets-in-files): one line, which may end
 * with a newline.
 */
export function readSecretFiles(env: Env): FileSecrets {
  const secrets: FileSecrets = { values: {}, origins: {}, faults: [] };
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    const read = env[name]?.trim()
      ? { fault: `must not be set together with ${name}: remove one of them` }
      : readLine(file);
    if ('fault' in read) secrets.faults.push(`${name}_FILE ${read.fault} (is "${file}").`);
    else {
      secrets.values[name] = read.line;
      secrets.origins[name] = `in ${name}_FILE, ${file}`;
    }
  }
  return secrets;
}

function readLine(file: string): { line: string } | { fault: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { fault: code === 'ENOENT' ? 'names a file that is missing' : `names a file that cannot be read: ${code}` };
  }
  const line = text.replace(/\r?\n$/, '');
  if (!line.trim()) return { fault: 'names a file that is empty' };
  return /[\r\n]/.test(line) ? { fault: 'names a file with more than one line' } : { line };
}
