import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReceivedMails, type ReceivedMails } from '../sandbox/received-mails';
import { openAuditSource } from '../stores/embedded/audit/audit-source';
import type { AuditSource } from '../stores/ports/audit-source';
import type { Config } from './config';
import { DATABASE, SANDBOX } from './data-dir';
import { StartError } from './start-error';

/** What an audit reads: the data of the engine, and the sandbox's mails where it is the sending server. */
export interface OpenAudit {
  source: AuditSource;
  sandbox: ReceivedMails | null;
  close(): Promise<void>;
}

/**
 * Opens the data for reading only, beside a running service or without one. Throws StartError when there is none, and the errors
 * of the stores.
 */
export function openAudit(config: Config): OpenAudit {
  if (config.engine === 'cluster') throw new StartError('The audit reads the embedded engine only (KURIR_ENGINE).');
  const file = join(config.dataDir, DATABASE);
  if (!existsSync(file)) {
    throw new StartError(`There is no data in ${config.dataDir} (KURIR_DATA_DIR): start the service once, or set it.`);
  }
  const source = openAuditSource(file);
  let sandbox: ReceivedMails | null;
  try {
    sandbox = openSandbox(config);
  } catch (error) {
    void source.close();
    throw error;
  }
  return {
    source,
    sandbox,
    close: async () => {
      await source.close();
      sandbox?.close();
    },
  };
}

function openSandbox({ mtaUrl, dataDir }: Config): ReceivedMails | null {
  const file = join(dataDir, SANDBOX);
  return mtaUrl === null && existsSync(file) ? openReceivedMails(file) : null;
}
