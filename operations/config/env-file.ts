import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { StartError } from '../../lib/start-error';
import type { Env } from './env-reader';

/** `NAME=value` as Node's parser takes it: quoted values may span lines. */
const ENTRY =
  /^[ \t]*(?:export[ \t]+)?[a-zA-Z_][\w.-]*[ \t]*=[ \t]*(?:"[^"]*"[^\n]*|'[^']*'[^\n]*|`[^`]*`[^\n]*|[^\n]*)$/gm;

/** Reads `.env` of the folder; empty when there is none. Throws StartError when it cannot be read or parsed. */
export function readEnvFile(folder: string): Env {
  const file = join(folder, '.env');
  const text = readText(file);
  if (text === null) return {};
  // Node's parser passes over what it does not understand, and a setting would silently be missing.
  const rest = text.replace(ENTRY, (entry) => entry.replace(/[^\n]/g, '')).split('\n');
  const wrong = rest.findIndex((line) => /^\s*[^#\s]/.test(line));
  if (wrong >= 0) throw new StartError(`${file}, line ${wrong + 1}: must be NAME=value, a comment (#) or empty.`);
  return parseEnv(text);
}

function readText(file: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    throw new StartError(`${file} is not UTF-8 text: save it as UTF-8.`);
  }
}
