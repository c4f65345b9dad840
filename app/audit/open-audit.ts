import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReceivedMails, type ReceivedMails } from '../../sandbox/received-mails';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { Config } from '../config/config';
import { DATABASE, SANDBOX } from '../engines/data-dir';
import { StartError } from '../start-error';

/** What an audit reads: the data of the engine, and the sandbox's mails if the sandbox is the sending server. */
export interface OpenAudit {
  source: AuditSource;
  sandbox: ReceivedMails | null;
  close(): Promise<void>;
}

/**
 * Opens the data read-only, with or without a running service. Throws StartError when there is no data, and the errors
 * of the stores.
 */
export async function openAudit(config: Config): Promise<OpenAudit> {
  const source = await openSource(config);
  try {
    const sandbox = openSandbox(config);
    return {
      source,
      sandbox,
      close: async () => {
        await source.close();
        sandbox?.close();
      },
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function openSource({ cluster, dataDir }: Config): Promise<AuditSource> {
  if (cluster) return (await import('./open-cluster-audit.js')).openClusterAudit(cluster);
  const file = join(dataDir, DATABASE);
  if (!existsSync(file)) {
    throw new StartError(`No data in ${dataDir} (KURIR_DATA_DIR). Start the service once, or set KURIR_DATA_DIR.`);
  }
  return openAuditSource(file);
}

function openSandbox({ mtaUrl, dataDir }: Config): ReceivedMails | null {
  const file = join(dataDir, SANDBOX);
  return mtaUrl === null && existsSync(file) ? openReceivedMails(file) : null;
}
