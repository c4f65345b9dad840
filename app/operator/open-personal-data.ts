import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressSearch } from '../../domain/address-search';
import { countMails } from '../../sandbox/count-mails';
import { openPersonalData } from '../../stores/embedded/audit/personal-data';
import type { PersonalDataSource } from '../../stores/ports/personal-data';
import type { Config } from '../config/config';
import { DATABASE, SANDBOX } from '../engines/data-dir';

/** Everything that is kept, to be looked through for an address. */
export interface OpenPersonalData extends PersonalDataSource {
  /** Mails of the sandbox that hold it; null where there is no sandbox. */
  sandboxMails(search: AddressSearch): Promise<number | null>;
}

/** Opens the data of the configured engine for reading only, beside a running service or without one. Throws as the stores do. */
export async function openAllPersonalData(config: Config): Promise<OpenPersonalData> {
  const { cluster, dataDir, mtaUrl } = config;
  const source = cluster
    ? await (await import('./open-cluster-personal-data.js')).openClusterPersonalData(cluster)
    : openPersonalData(join(dataDir, DATABASE));
  const sandbox = join(dataDir, SANDBOX);
  return {
    ...source,
    sandboxMails: async (search) => (mtaUrl === null && existsSync(sandbox) ? countMails(sandbox, search) : null),
  };
}
