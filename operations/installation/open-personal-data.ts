import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressSearch } from '../../domain/addresses/address-search';
import { countContaining, type SandboxCounts } from '../../sandbox/count-containing';
import type { EngineTools } from './engine-tools';
import type { PersonalDataSource } from '../../stores/ports/personal-data';
import type { Config } from '../config/config';
import { DATABASE, SANDBOX, sandboxDir } from './data-dir';
import { findDataFile } from './data-file';

export type { SandboxCounts };

/** All stored data, for searching it for an address. */
export interface OpenPersonalData extends PersonalDataSource {
  /** How much in the sandbox contains it; null without a sandbox. */
  inSandbox(search: AddressSearch): Promise<SandboxCounts | null>;
}

/**
 * Opens the data of the configured engine read-only, with or without a running service. Throws the errors of the
 * stores.
 */
export async function openAllPersonalData(
  config: Config,
  tools: Pick<EngineTools, 'personalData'>,
): Promise<OpenPersonalData> {
  const { cluster, dataDir, mtaUrl } = config;
  const source = await tools.personalData(
    cluster ? { cluster } : { file: findDataFile(dataDir) ?? join(dataDir, DATABASE) },
  );
  const sandbox = join(sandboxDir(config), SANDBOX);
  return {
    ...source,
    inSandbox: async (search) => (mtaUrl === null && existsSync(sandbox) ? countContaining(sandbox, search) : null),
  };
}
