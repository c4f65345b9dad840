import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countContents, emptyMailFile, type Emptied } from '../../sandbox/empty-mail-file';
import type { Config } from '../config/config';
import { SANDBOX, sandboxDir } from '../installation/data-dir';
import { installationId } from '../installation/installation-id';
import type { Operator } from '../definition/operator';

export type { Emptied };

/** The sandbox's file of the configured engine; null if no sandbox ever ran on this data dir. */
export function sandboxFileOf(config: Pick<Config, 'engine' | 'dataDir'>): string | null {
  const path = join(sandboxDir(config), SANDBOX);
  return existsSync(path) ? path : null;
}

/** What a reset would delete. Throws the errors of the sandbox's file. */
export const sandboxContents = (path: string): Emptied => countContents(path);

/**
 * Empties the sandbox's file, beside the running service or without it; from then on it belongs to this installation.
 * Rejects with the errors of the file and of the store.
 */
export async function resetSandbox(path: string, { stores, clock }: Operator): Promise<Emptied & { since: number }> {
  return emptyMailFile(path, await installationId(stores.settings), clock.now());
}
